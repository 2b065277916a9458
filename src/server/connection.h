// Connection: one client, from accept to close. Lives on the thread of its event loop.
//
// A turn receives what has arrived, serves every complete request in it and sends all answers that
// may leave with one system call. The loop lets several connections receive, then serve, then send
// (EventLoop::end_round). Requests behind an answer that waits for a sync are served meanwhile; the
// AnswerQueue keeps the order.
//
//   open ── answer with "Connection: close" sent ──> lingering ── client closed or time is up ──>
//   closed
//
// Lingering: we have shut down our side but keep reading and dropping. Closing at once, with unread
// bytes of the client on the way, would make its kernel throw away the answer it has not read yet.
#pragma once

#include <cstddef>
#include <cstdint>

#include "server/answer_queue.h"
#include "server/api_route.h"
#include "server/chunked_body.h"
#include "server/http_parser.h"
#include "server/poller.h"
#include "server/receive_buffer.h"
#include "server/served_request.h"
#include "server/socket_stream.h"
#include "server/timer_wheel.h"

namespace partita {

class EventLoop;
struct ParkedAnswer;

class Connection final : public TimerEntry, public Pollable {
 public:
  // Takes over the socket, which does not block.
  Connection(EventLoop& loop, int socket);
  ~Connection();

  void begin();  // the loop's first call
  void on_ready(Readiness readiness) override;
  // Receives, then asks the loop for a turn; also to begin with, and when the server begins to
  // stop.
  void on_readable();
  // What had to wait may go on: for the client to read, for a sync, for its turn.
  void on_resume();
  // A turn: first serve what has arrived, later send and settle.
  void serve_turn();
  void finish_turn();
  void on_deadline();
  // A parked answer may leave, or must be replaced by an error. on_resume follows.
  void on_durability_known(const ParkedAnswer& parked);
  void close();

  bool closed() const { return closed_; }
  std::size_t unsent_bytes() const { return answers_.bytes(); }

  std::size_t loop_index = 0;  // where the loop keeps it
  // The loop's notes.
  bool resume_pending = false;  // on_resume comes at the end of the round
  bool has_turn = false;        // in this round

 private:
  enum class Waiting : std::uint8_t { Idle, Head, Body, Write, Sync, Linger };
  enum class Stop : std::uint8_t { NeedMore, Full, TurnOver };

  void serve();
  bool receive_head();
  bool receive_body();
  void answer_request();
  void request_answered(bool keep_alive);
  void answer_preflight(ServedRequest served, bool keep_alive);
  void answer_aside(const ServedRequest& served, Api* api);
  void take_side_answer(const ParkedAnswer& parked);
  void close_answer(const RouteAnswer& answer, ServedRequest served, bool keep_alive,
                    bool without_body);
  void refuse(int status, std::string_view body = {});
  void send();
  void settle();
  void linger();
  void drop_received();
  void update_interest();
  Waiting what_we_wait_for() const;
  void set_deadline();

  bool full() const;

  EventLoop& loop_;
  int socket_;
  SocketStream stream_;
  ReceiveBuffer received_;
  HttpParser parser_;
  ChunkedBody chunked_;
  AnswerQueue answers_;

  std::size_t body_bytes_ = 0;        // received so far when chunked, else announced
  std::size_t received_at_mark_ = 0;  // received_.size() when the body deadline was last moved
  int requests_left_ = 0;             // that may be served in this turn
  Stop stop_ = Stop::NeedMore;        // why serving ended
  Waiting waiting_ = Waiting::Idle;
  bool progressed_ = true;  // the deadline may move
  bool resting_ = false;    // idle for a while, its buffers given back
  bool head_complete_ = false;
  bool finishing_ = false;      // the last answer is queued; nothing more is served
  bool peer_finished_ = false;  // the client has shut down its side
  bool lingering_ = false;
  bool closed_ = false;
  bool blocked_ = false;    // the client's side has no room for what we have to send
  Interest interest_ = {};  // what the poller knows
};

}  // namespace partita
