// Asio, as this room uses it. Include this rather than Asio's headers, so that all agree on how it
// is configured.
#pragma once

#define ASIO_STANDALONE
// A loop's handlers all run on its own thread, and the queue between threads has a mutex: the
// fences Asio puts around every handler guard nothing here (and ThreadSanitizer knows no fences).
#define ASIO_DISABLE_FENCED_BLOCK

#include <chrono>

#include <asio/basic_waitable_timer.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/posix/basic_stream_descriptor.hpp>
#include <asio/post.hpp>

namespace partita {

// With the executor's own type rather than any_io_executor, which would cost virtual calls per
// wait.
using LoopExecutor = asio::io_context::executor_type;
using LoopSocket = asio::posix::basic_stream_descriptor<LoopExecutor>;
using LoopTimer =
    asio::basic_waitable_timer<std::chrono::steady_clock,
                               asio::wait_traits<std::chrono::steady_clock>, LoopExecutor>;

}  // namespace partita
