// Tells the service manager that started us how we are (systemd's Type=notify).
//
// The protocol is a datagram to the socket that NOTIFY_SOCKET names, so no library is needed.
#pragma once

#include <string_view>

namespace partita {

// "READY=1", "STOPPING=1". Does nothing when nobody asked for it.
void notify_service_manager(std::string_view state);

}  // namespace partita
