#include "push/delivery.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/http_pool.h"
#include "client/http_url.h"

extern char** environ;

namespace partita {
namespace {

using Steady = std::chrono::steady_clock;

Error failed(std::string why) { return Error(ErrorCode::ServiceUnavailable, std::move(why)); }

class HttpDelivery final : public Delivery {
 public:
  HttpDelivery(std::string url, std::chrono::milliseconds timeout)
      : url_(std::move(url)),
        http_({.url = url_,
               .connect_timeout = timeout,
               .request_timeout = timeout,
               .idle_connections_max = kIdleConnectionsMax,
               .body_bytes_max = kAnswerBytesMax}) {}

  Result<std::string> deliver(std::string_view event, const std::atomic<bool>& cancelled) override {
    const std::string headers[] = {"Content-Type: application/json"};
    auto answer = http_.send({.headers = headers, .body = event, .cancelled = &cancelled});
    if (!answer) return failed(url_ + ": " + answer.error().message());
    if (answer->status >= 200 && answer->status < 300) return std::move(answer->body);
    return failed("the target answered with status " + std::to_string(answer->status));
  }

 private:
  static constexpr std::size_t kIdleConnectionsMax = 4;
  static constexpr std::size_t kAnswerBytesMax = 6 << 20;  // as Lambda's
  const std::string url_;
  client::HttpPool http_;
};

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(0);
    close(1);
  }
  int end(std::size_t which) const { return ends_[which]; }
  void close(std::size_t which) {
    if (ends_[which] >= 0) ::close(std::exchange(ends_[which], -1));
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

class ExecDelivery final : public Delivery {
 public:
  ExecDelivery(std::string command, std::chrono::milliseconds timeout)
      : command_(std::move(command)), timeout_(timeout) {}

  Result<std::string> deliver(std::string_view event, const std::atomic<bool>& cancelled) override {
    const auto deadline = Steady::now() + timeout_;
    Pipe input;
    if (input.end(0) < 0) return failed(std::strerror(errno));
    PARTITA_TRY(const pid_t process, start(input.end(0)));
    input.close(0);
    feed(input.end(1), event, deadline, cancelled);
    input.close(1);
    PARTITA_CHECK(await(process, deadline, cancelled));
    return std::string();
  }

 private:
  Result<pid_t> start(int input) const {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    // Signals as they come with a program; the server blocks some for itself.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none, ordinary;
    sigemptyset(&none);
    sigemptyset(&ordinary);
    for (const int number : {SIGPIPE, SIGINT, SIGTERM}) sigaddset(&ordinary, number);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ordinary);
    posix_spawnattr_setflags(
        &attributes,
        static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
    std::string shell = "sh", option = "-c", command = command_;
    char* const words[] = {shell.data(), option.data(), command.data(), nullptr};
    pid_t process = -1;
    const int failure = ::posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failure != 0)
      return failed(std::string("the command cannot run: ") + std::strerror(failure));
    return process;
  }

  // A command that does not read all of it is none the worse for that.
  static void feed(int output, std::string_view event, Steady::time_point deadline,
                   const std::atomic<bool>& cancelled) {
    ::fcntl(output, F_SETFL, O_NONBLOCK);
    sigset_t broken_pipe, before;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    while (!event.empty() && !cancelled && Steady::now() < deadline) {
      const ssize_t written = ::write(output, event.data(), event.size());
      if (written > 0) {
        event.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno == EAGAIN || errno == EINTR) {
        pollfd waited{output, POLLOUT, 0};
        ::poll(&waited, 1, 100);
      } else {
        break;
      }
    }
    const timespec at_once{0, 0};
    while (sigtimedwait(&broken_pipe, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  static Result<void> await(pid_t process, Steady::time_point deadline,
                            const std::atomic<bool>& cancelled) {
    int status = 0;
    std::chrono::milliseconds pause{1};
    for (;;) {
      const pid_t ended = ::waitpid(process, &status, WNOHANG);
      if (ended == process) break;
      if (ended < 0 && errno != EINTR) return failed(std::strerror(errno));
      if (cancelled || Steady::now() >= deadline) {
        ::kill(-process, SIGKILL);
        ::waitpid(process, &status, 0);
        return failed("the command took too long");
      }
      std::this_thread::sleep_for(pause);
      pause = std::min(pause * 2, std::chrono::milliseconds(50));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
    return failed(WIFEXITED(status)
                      ? "the command ended with " + std::to_string(WEXITSTATUS(status))
                      : "the command was killed by signal " + std::to_string(WTERMSIG(status)));
  }

  const std::string command_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace

Result<std::unique_ptr<Delivery>> make_delivery(std::string_view target,
                                                std::chrono::milliseconds timeout) {
  constexpr std::string_view kExec = "exec:";
  if (target.starts_with(kExec) && target.size() > kExec.size()) {
    return std::unique_ptr<Delivery>(
        std::make_unique<ExecDelivery>(std::string(target.substr(kExec.size())), timeout));
  }
  PARTITA_CHECK(client::parse_http_url(target));
  return std::unique_ptr<Delivery>(std::make_unique<HttpDelivery>(std::string(target), timeout));
}

}  // namespace partita
