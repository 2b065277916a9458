// std::chrono's durations and points of time. <chrono> itself brings calendars, time zones and
// streams along, which take the compiler half a second in every file with an entity. A program that
// writes dates as 2024y/6/1 includes <chrono>.
#pragma once

#if defined(__has_include)
#if __has_include(<bits/chrono.h>)
#include <bits/chrono.h>  // libstdc++ keeps them apart
#else
#include <chrono>
#endif
#else
#include <chrono>
#endif
