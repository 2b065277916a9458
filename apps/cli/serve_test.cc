// The program itself: what it prints, how it ends.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace partita {
namespace {

// A run of the program, its output readable through pipes.
class Program {
 public:
  explicit Program(std::vector<std::string> arguments) {
    std::array<int, 2> output{};
    std::array<int, 2> complaints{};
    EXPECT_EQ(::pipe(output.data()), 0);
    EXPECT_EQ(::pipe(complaints.data()), 0);
    arguments.insert(arguments.begin(), PARTITA_PROGRAM);
    std::vector<char*> words;
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(output[1], 1);
      ::dup2(complaints[1], 2);
      for (const int end : {output[0], output[1], complaints[0], complaints[1]}) ::close(end);
      ::execv(words[0], words.data());
      ::_exit(127);
    }
    ::close(output[1]);
    ::close(complaints[1]);
    output_ = output[0];
    complaints_ = complaints[0];
  }
  ~Program() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    ::close(output_);
    ::close(complaints_);
  }

  std::string line() { return read_until(output_, '\n'); }
  std::string output() { return read_until(output_, '\0'); }
  std::string complaint() { return read_until(complaints_, '\0'); }
  void send_signal(int number) { ::kill(process_, number); }
  // The exit status.
  int wait() {
    int status = 0;
    ::waitpid(std::exchange(process_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  static std::string read_until(int file, char stop) {
    std::string text;
    char c;
    while (::read(file, &c, 1) == 1 && c != stop) text += c;
    return text;
  }

  pid_t process_ = -1;
  int output_ = -1;
  int complaints_ = -1;
};

int port_in(const std::string& greeting) {
  const std::size_t at = greeting.find("http://127.0.0.1:");
  return at == std::string::npos ? 0 : std::atoi(greeting.c_str() + at + 17);
}

// A connection on which half a request has been sent.
class HalfARequest {
 public:
  explicit HalfARequest(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::send(socket_, "GET / HTTP/1.1\r\n", 16, 0), 16);
  }
  ~HalfARequest() { ::close(socket_); }
  std::string finish() {
    EXPECT_EQ(::send(socket_, "Host: h\r\n\r\n", 11, 0), 11);
    std::array<char, 1000> bytes;
    const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), 0);
    return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
  }

 private:
  int socket_;
};

TEST(Program, explains_itself) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                {"--help"},
                                                {"serve", "--help"},
                                                {"serve", "-h"},
                                                {"help"},
                                                {"help", "serve"}}) {
    Program program(words);
    EXPECT_NE(program.output().find("Usage:"), std::string::npos);
    EXPECT_EQ(program.wait(), 0);
  }
  Program program({"--version"});
  EXPECT_TRUE(program.output().starts_with("partita 0."));
  EXPECT_EQ(program.wait(), 0);
}

TEST(Program, wrong_usage_is_one_sentence_and_status_2) {
  for (const auto& [words, sentence] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"sevre"}, "partita: there is no command 'sevre'; did you mean 'serve'?\n"},
           {{"--in-memory", "--port", "1"},
            "partita: flags follow a command: partita serve --in-memory\n"},
           {{"--verzion"}, "partita: there is no command '--verzion'; did you mean '--version'?\n"},
           {{"serve", "--prot=1"}, "partita: there is no flag --prot; did you mean --port?\n"},
           {{"serve", "--port", "x"},
            "partita: --port wants a whole number from 0 to 65535, not 'x'.\n"}}) {
    Program program(words);
    EXPECT_EQ(program.complaint(), sentence);
    EXPECT_EQ(program.wait(), 2);
  }
}

TEST(Program, completion_is_for_shells_it_knows) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    Program program({"completion", shell});
    const std::string script = program.output();
    EXPECT_NE(script.find("durability"), std::string::npos);
    EXPECT_NE(script.find("synced relaxed"), std::string::npos);
    EXPECT_EQ(program.wait(), 0);
  }
  Program unknown({"completion", "tcsh"});
  EXPECT_EQ(unknown.complaint(),
            "partita: there is no completion for 'tcsh'; choose bash, zsh or fish.\n");
  EXPECT_EQ(unknown.wait(), 2);
}

// What systemd does for Type=notify.
TEST(Program, a_service_manager_is_told_when_it_serves_and_when_it_stops) {
  const std::string path = testing::TempDir() + "notify" + std::to_string(::getpid());
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.size(), sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
  Program program({"serve", "--in-memory", "--port=0", "--threads=1"});
  ::unsetenv("NOTIFY_SOCKET");
  std::array<char, 100> told;
  ssize_t length = ::recv(socket, told.data(), told.size(), 0);
  EXPECT_EQ(std::string_view(told.data(), static_cast<std::size_t>(length)), "READY=1");
  program.send_signal(SIGTERM);
  length = ::recv(socket, told.data(), told.size(), 0);
  EXPECT_EQ(std::string_view(told.data(), static_cast<std::size_t>(length)), "STOPPING=1");
  EXPECT_EQ(program.wait(), 0);
  ::close(socket);
  ::unlink(path.c_str());
}

TEST(Program, says_where_it_listens_and_stops_when_told) {
  for (const int number : {SIGTERM, SIGINT}) {
    Program program({"serve", "--in-memory", "--port=0", "--threads=1"});
    const std::string greeting = program.line();
    EXPECT_GT(port_in(greeting), 0) << greeting;
    EXPECT_NE(greeting.find("data in memory only"), std::string::npos);
    EXPECT_NE(program.line().find("aws dynamodb list-tables"), std::string::npos);
    program.send_signal(number);
    EXPECT_EQ(program.complaint(), "");
    EXPECT_EQ(program.wait(), 0);
  }
}

TEST(Program, the_first_signal_lets_requests_finish_and_the_second_does_not_wait) {
  Program patient({"serve", "--in-memory", "--port=0", "--threads=1"});
  HalfARequest finished(port_in(patient.line()));
  ::usleep(100'000);  // so that the server has seen it
  patient.send_signal(SIGTERM);
  ::usleep(100'000);
  const std::string answer = finished.finish();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
  EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos) << answer;

  Program hasty({"serve", "--in-memory", "--port=0", "--threads=1"});
  const HalfARequest stuck(port_in(hasty.line()));
  ::usleep(100'000);
  hasty.send_signal(SIGTERM);
  ::usleep(100'000);
  hasty.send_signal(SIGTERM);
  EXPECT_EQ(hasty.wait(), 128 + SIGTERM);
}

TEST(Program, a_port_in_use_is_one_sentence_and_status_1) {
  Program first({"serve", "--in-memory", "--port=0", "--threads=1"});
  const std::string port = std::to_string(port_in(first.line()));
  Program second({"serve", "--in-memory", "--port", port});
  EXPECT_EQ(
      second.complaint(),
      "partita: Cannot listen on 127.0.0.1:" + port +
          ": the port is already in use by another program; stop it or choose another port.\n");
  EXPECT_EQ(second.wait(), 1);
}

TEST(Program, a_data_directory_it_cannot_use_is_one_sentence_and_status_1) {
  Program program({"serve", "--port=0", "--data", "/proc/nowhere/data"});
  const std::string complaint = program.complaint();
  EXPECT_TRUE(complaint.starts_with("partita: ")) << complaint;
  EXPECT_EQ(std::count(complaint.begin(), complaint.end(), '\n'), 1) << complaint;
  EXPECT_EQ(program.wait(), 1);
}

}  // namespace
}  // namespace partita
