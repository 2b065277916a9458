#include "server/connection.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <memory_resource>
#include <string>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

#include "server/admin_api.h"
#include "server/event_loop.h"

namespace partita {

struct SideAnswer {
  RouteAnswer answer;
  TextBuffer body;
};

namespace {

constexpr int kRequestsPerTurn = 64;  // then other connections get their turn
constexpr int kReceivesPerTurn = 8;
constexpr std::size_t kBodyProgressBytes = 64 * 1024;  // what extends the body's deadline
constexpr std::chrono::milliseconds kRestAfter{2000};  // an idle connection keeps buffers so long
constexpr std::size_t kSendVectorsMax = 64;
constexpr std::chrono::milliseconds kLingerWhenStopping{500};

}  // namespace

Connection::Connection(EventLoop& loop, int socket)
    : loop_(loop),
      socket_(socket),
      stream_(socket, loop.tls_context()),
      received_(loop.buffer_budget()),
      answers_(loop.spare_buffers()) {
  parser_.reset();
}

Connection::~Connection() {
  if (!closed_) ::close(socket_);
}

void Connection::begin() {
  interest_ = {.read = true};
  loop_.poller().watch(socket_, *this, interest_);
  on_readable();
}

void Connection::on_ready(Readiness readiness) {
  if (closed_) return;
  if (readiness.broken && !interest_.read) return close();  // nobody is there to be answered
  if (readiness.writable) loop_.run_guarded(*this, &Connection::on_resume);
  // One that waits for its turn has enough to do and reads then.
  if ((readiness.readable || readiness.broken) && !resume_pending) {
    loop_.run_guarded(*this, &Connection::on_readable);
  }
}

void Connection::on_readable() {
  if (closed_) return;
  if (lingering_) return drop_received();
  for (int receives = 0; receives < kReceivesPerTurn && !finishing_ && !closed_; ++receives) {
    const std::size_t room = received_.make_room();
    if (room == 0) [[unlikely]] {
      refuse(503);  // what others have sent takes all there is for it
      break;
    }
    const ssize_t count = stream_.receive(received_.room(), room);
    if (count < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) break;
      if (!stream_.turns_plain()) return close();
      refuse(400, "The plain HTTP request was sent to HTTPS port");  // as the front of AWS says
      break;
    }
    if (count == 0) {
      peer_finished_ = true;
      break;
    }
    received_.received(static_cast<std::size_t>(count));
    loop_.metrics().bytes_received.add(static_cast<std::size_t>(count));
    if (full() || (static_cast<std::size_t>(count) < room && !stream_.has_received())) break;
    // The room is filled, so more may be there. A request this large is worth another receive.
    requests_left_ = kRequestsPerTurn;
    serve();
  }
  loop_.give_turn(*this);
}

void Connection::on_resume() {
  if (closed_ || lingering_) return;
  if (stream_.has_received() || stream_.receive_wants_write()) [[unlikely]]
    return on_readable();
  loop_.give_turn(*this);
}

void Connection::serve_turn() {
  if (closed_) return;
  requests_left_ = kRequestsPerTurn;
  serve();
}

void Connection::finish_turn() {
  if (closed_) return;
  send();
  while (stop_ == Stop::Full && !closed_ && !full()) {
    serve();
    send();
  }
  if (closed_) return;
  if (stop_ == Stop::TurnOver) loop_.resume_later(*this);
  settle();
}

void Connection::serve() {
  stop_ = Stop::NeedMore;
  while (!finishing_) {
    if (full()) {
      stop_ = Stop::Full;
      return;
    }
    if (!head_complete_ && !receive_head()) return;
    if (!receive_body()) return;
    if (requests_left_-- == 0) {
      stop_ = Stop::TurnOver;
      return;
    }
    answer_request();
  }
}

bool Connection::full() const {
  const ServerLimits& limits = loop_.limits();
  return answers_.bytes() >= limits.unsent_bytes_max ||
         answers_.count() >= limits.unsent_answers_max;
}

// False when more must arrive first, or the request was refused.
bool Connection::receive_head() {
  if (received_.empty()) return false;
  switch (parser_.parse(received_.view())) {
    case HttpParser::Progress::NeedMore:
      return false;
    case HttpParser::Progress::Refused:
      refuse(parser_.refusal_status());
      return false;
    case HttpParser::Progress::Complete:
      break;
  }
  const RequestHead& head = parser_.head();
  if (head.content_length() > loop_.limits().body_bytes_max) {
    refuse(413);  // before a byte of it is stored
    return false;
  }
  head_complete_ = true;
  progressed_ = true;
  received_at_mark_ = received_.size();
  body_bytes_ = static_cast<std::size_t>(head.content_length());
  if (head.chunked()) chunked_.reset(loop_.limits().body_bytes_max);
  const bool has_body = head.chunked() || body_bytes_ > 0;
  if (head.expects_continue() && has_body && received_.size() == parser_.head_bytes()) {
    answers_.add_text("HTTP/1.1 100 Continue\r\n\r\n");
  }
  return true;
}

bool Connection::receive_body() {
  const std::size_t arrived = received_.size() - parser_.head_bytes();
  if (!parser_.head().chunked()) return arrived >= body_bytes_;

  std::size_t decoded = 0;
  std::size_t consumed = 0;
  char* const encoded = received_.start() + parser_.head_bytes() + body_bytes_;
  const ChunkedBody::Progress progress =
      chunked_.decode(encoded, arrived - body_bytes_, decoded, consumed);
  body_bytes_ += decoded;
  received_.remove(parser_.head_bytes() + body_bytes_, consumed - decoded);
  switch (progress) {
    case ChunkedBody::Progress::Complete:
      return true;
    case ChunkedBody::Progress::NeedMore:
      return false;
    case ChunkedBody::Progress::Malformed:
      refuse(400);
      return false;
    case ChunkedBody::Progress::TooLarge:
      refuse(413);
      return false;
  }
  return false;
}

void Connection::answer_request() {
  ServedRequest served;
  served.began =
      loop_.poller().now();  // it had arrived by then, and a clock costs a hundred instructions
  served.bytes_in = parser_.head_bytes() + body_bytes_;
  parser_.rebase(received_.start());
  const RequestHead& head = parser_.head();
  const std::string_view body(received_.start() + parser_.head_bytes(), body_bytes_);
  const bool keep_alive = head.keep_alive() && !loop_.stopping();
  const bool without_body = head.method() == "HEAD";

  if (is_for_admin(head)) [[unlikely]] {
    const AdminClient client{socket_, loop_.doorkeeper().admits_to_admin(head, body)};
    const AdminAnswer answer = answer_admin(head, body, loop_.options(), client, answers_.open());
    close_answer({.status = answer.status, .content_type = answer.content_type, .ticket = {}},
                 served, keep_alive, without_body);
    return request_answered(keep_alive);
  }
  const Admission admission = is_api_request(head) ? loop_.doorkeeper().admit(head, body)
                                                   : loop_.doorkeeper().admit_to_pages(socket_);
  if (is_preflight(head)) [[unlikely]] {
    answer_preflight(served, keep_alive);
  } else if (loop_.runs_aside(head) && admission.api != nullptr) [[unlikely]] {
    answer_aside(served, admission.api);
  } else {
    const RouteAnswer answer =
        route(head, body, admission, loop_.routes(), loop_.arena().memory(), answers_.open());
    loop_.arena().release();
    close_answer(answer, served, keep_alive, without_body);
  }
  request_answered(keep_alive);
}

// Its bytes are not needed any more.
void Connection::request_answered(bool keep_alive) {
  received_.consume(parser_.head_bytes() + body_bytes_);
  parser_.reset();
  head_complete_ = false;
  body_bytes_ = 0;
  progressed_ = true;
  if (!keep_alive) finishing_ = true;
}

void Connection::answer_preflight(ServedRequest served, bool keep_alive) {
  const std::string text = loop_.heads().write_preflight(parser_.head(), keep_alive);
  answers_.add_text(text);
  served.id = loop_.heads().request_id();
  served.bytes_out = text.size();
  loop_.served(served, socket_);
}

// The request is copied and answered by another thread; an empty answer keeps its place. It is
// delivered when it is durable, and replaced then.
void Connection::answer_aside(const ServedRequest& served, Api* api) {
  struct Request {
    std::string bytes;
    HttpParser parser;
    Routes routes;
    Admission admission;
    std::shared_ptr<const Callers> callers;  // who own the admission's Api
  };
  const std::size_t request_bytes = parser_.head_bytes() + body_bytes_;
  auto request = std::make_shared<Request>(Request{std::string(received_.start(), request_bytes),
                                                   parser_,
                                                   loop_.routes(),
                                                   {.api = api},
                                                   loop_.doorkeeper().callers()});
  request->bytes.resize(request_bytes + kBodyPaddingBytes);
  request->parser.rebase(request->bytes.data());

  DurabilityMailbox* const mailbox = &loop_.mailbox();
  answers_.open();
  ParkedAnswer* const parked = &mailbox->park(*this, answers_.next_number(), served);
  answers_.close({}, parked);
  parked->side = std::make_shared<SideAnswer>();
  loop_.side_threads().run([request, request_bytes, mailbox, parked, side = parked->side] {
    const std::size_t head_bytes = request->parser.head_bytes();
    const std::string_view body(request->bytes.data() + head_bytes, request_bytes - head_bytes);
    std::pmr::monotonic_buffer_resource memory;  // the loop's arena is not ours here
    side->answer = route(request->parser.head(), body, request->admission, request->routes, &memory,
                         side->body);
    const auto deliver = [mailbox, parked](Result<void> outcome) {
      mailbox->deliver(*parked, outcome);
    };
    if (side->answer.ticket.version == 0 || side->answer.api == nullptr) return deliver({});
    side->answer.api->when_durable(side->answer.ticket, deliver);
  });
}

void Connection::take_side_answer(const ParkedAnswer& parked) {
  const bool last = finishing_ && parked.number + 1 == answers_.next_number();
  RouteAnswer answer = parked.side->answer;
  answer.ticket = {};  // it is durable
  answers_.open().append(parked.side->body.view());
  close_answer(answer, parked.request, /*keep_alive=*/!last, /*without_body=*/false);
  answers_.replace_by_last(parked.number);
}

void Connection::close_answer(const RouteAnswer& answer, ServedRequest served, bool keep_alive,
                              bool without_body) {
  const std::string_view head = loop_.heads().write(
      {.status = answer.status,
       .content_type = answer.content_type,
       .body = answers_.body(),
       .keep_alive = keep_alive,
       .content_encoding = answer.coding == ContentCoding::Identity ? std::string_view()
                                                                    : coding_name(answer.coding),
       .cross_origin = answer.cross_origin});
  if (without_body) answers_.drop_body();
  served.id = loop_.heads().request_id();
  served.operation = answer.operation;
  served.status = answer.status;
  served.error = answer.error;
  served.bytes_out = head.size() + answers_.body().size();
  if (answer.ticket.version == 0 || answer.api == nullptr ||
      answer.api->is_durable(answer.ticket)) {
    answers_.close(head);
    return loop_.served(served, socket_);
  }
  DurabilityMailbox* const mailbox = &loop_.mailbox();
  ParkedAnswer* const parked = &mailbox->park(*this, answers_.next_number(), served);
  answers_.close(head, parked);
  // Two pointers fit into std::function without an allocation.
  answer.api->when_durable(answer.ticket, [mailbox, parked](Result<void> outcome) {
    mailbox->deliver(*parked, outcome);
  });
}

void Connection::on_durability_known(const ParkedAnswer& parked) {
  progressed_ = true;
  if (!parked.failure && parked.side) return take_side_answer(parked);
  if (!parked.failure) {
    loop_.served(parked.request, socket_);
    return answers_.release(parked.number);
  }
  const bool last = finishing_ && parked.number + 1 == answers_.next_number();
  RouteAnswer answer = route_failed_sync(*parked.failure, answers_.open());
  answer.operation = parked.request.operation;
  close_answer(answer, parked.request, /*keep_alive=*/!last, /*without_body=*/false);
  answers_.replace_by_last(parked.number);
}

// Answers with a status, mostly alone, and ends the connection: what follows cannot be told apart
// from the rest of this request. (DynamoDB's 413 has no body either.)
void Connection::refuse(int status, std::string_view body) {
  answers_.open().append(body);
  answers_.close(loop_.heads().write({.status = status,
                                      .content_type = body.empty() ? "" : "text/plain",
                                      .body = body,
                                      .keep_alive = false}));
  loop_.refused(status, socket_);
  finishing_ = true;
  received_.consume(received_.size());
}

void Connection::send() {
  blocked_ = false;
  while (!closed_ && answers_.has_sendable()) {
    std::array<iovec, kSendVectorsMax> vectors;
    const std::size_t filled = answers_.gather(vectors);
    const ssize_t count = stream_.send(std::span(vectors).first(filled), loop_.scratch());
    if (count < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) {
        blocked_ = true;
        return;
      }
      return close();
    }
    answers_.sent(static_cast<std::size_t>(count));
    loop_.metrics().bytes_sent.add(static_cast<std::size_t>(count));
    progressed_ = true;
  }
}

// After a turn: what happens next, and how long we are ready to wait for it.
void Connection::settle() {
  if (answers_.empty()) {
    if (finishing_ && !peer_finished_) {
      linger();
    } else if ((finishing_ || peer_finished_ || (loop_.stopping() && received_.empty())) &&
               !resume_pending) {
      return close();
    }
  }
  update_interest();
  set_deadline();
}

void Connection::update_interest() {
  const Interest interest{.read = !peer_finished_ && !full() && (!finishing_ || lingering_),
                          .write = blocked_ || stream_.receive_wants_write()};
  if (interest.read && stream_.has_received()) [[unlikely]]
    loop_.resume_later(*this);  // no poll will tell of it
  if (interest == interest_) return;
  interest_ = interest;
  loop_.poller().change(socket_, *this, interest);
}

void Connection::linger() {
  if (lingering_) return;
  lingering_ = true;
  stream_.finish();
}

void Connection::drop_received() {
  for (int receives = 0; receives < kReceivesPerTurn; ++receives) {
    const std::span<char> scratch = loop_.scratch();
    const ssize_t count = ::recv(socket_, scratch.data(), scratch.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (count <= 0) return close();
  }
}

Connection::Waiting Connection::what_we_wait_for() const {
  if (lingering_) return Waiting::Linger;
  if (!stream_.established()) return Waiting::Head;
  if (answers_.has_sendable()) return Waiting::Write;
  if (!answers_.empty()) return Waiting::Sync;
  if (head_complete_) return Waiting::Body;
  return received_.empty() ? Waiting::Idle : Waiting::Head;
}

void Connection::set_deadline() {
  const Waiting waiting = what_we_wait_for();
  if (waiting == Waiting::Body && received_.size() >= received_at_mark_ + kBodyProgressBytes) {
    received_at_mark_ = received_.size();
    progressed_ = true;
  }
  if (waiting == waiting_ && !progressed_) return;  // dripping bytes does not buy time
  waiting_ = waiting;
  progressed_ = false;
  const ServerLimits& limits = loop_.limits();
  switch (waiting) {
    case Waiting::Idle:
      resting_ = false;
      return loop_.set_timer(*this, std::min(kRestAfter, limits.idle_timeout));
    case Waiting::Head:
      return loop_.set_timer(*this, limits.head_timeout);
    case Waiting::Body:
      return loop_.set_timer(*this, limits.body_timeout);
    case Waiting::Write:
      return loop_.set_timer(*this, limits.write_timeout);
    case Waiting::Linger:
      return loop_.set_timer(*this, loop_.stopping()
                                        ? std::min(kLingerWhenStopping, limits.linger_timeout)
                                        : limits.linger_timeout);
    case Waiting::Sync:
      return loop_.clear_timer(*this);
  }
}

void Connection::on_deadline() {
  if (closed_) return;
  // What it waited for may have arrived in this very round: its turn decides first.
  if (has_turn) return loop_.set_timer(*this, std::chrono::milliseconds(0));
  if (waiting_ == Waiting::Idle && !std::exchange(resting_, true)) {
    received_.give_back();
    const auto idle_timeout = loop_.limits().idle_timeout;
    if (idle_timeout > kRestAfter) return loop_.set_timer(*this, idle_timeout - kRestAfter);
  }
  loop_.metrics().connections_timed_out.add();
  if ((waiting_ != Waiting::Head && waiting_ != Waiting::Body) || !stream_.established()) {
    return close();
  }
  refuse(408);
  send();
  if (!closed_) settle();
}

void Connection::close() {
  if (closed_) return;
  closed_ = true;
  loop_.clear_timer(*this);
  answers_.for_each_parked([](ParkedAnswer& parked) { parked.connection = nullptr; });
  ::close(socket_);
  loop_.connection_closed(*this);
}

}  // namespace partita
