# ROCKSDB_LIBRARY: what the durable engine links.
#
# Programs built here carry RocksDB and its compressors in themselves when the archives are there
# (Debian's -dev packages have them): a third of a start was the dynamic linker's work on the shared
# library, and calls within RocksDB went through its tables (docs/decisions/0020). Sanitized builds keep
# the shared library, which mixes no unchecked copies of inline functions with ours; so do projects
# that embed Partita, which get their updates of it from the system.
option(PARTITA_STATIC_ROCKSDB "Link the archive of RocksDB into programs built here" ON)

set(ROCKSDB_LIBRARY rocksdb)
if(PARTITA_STATIC_ROCKSDB AND NOT PARTITA_SANITIZE)
  set(archives "")
  foreach(name rocksdb snappy lz4 zstd bz2 z)
    find_library(${name}_ARCHIVE lib${name}.a)
    mark_as_advanced(${name}_ARCHIVE)
    list(APPEND archives ${${name}_ARCHIVE})
  endforeach()
  if(archives MATCHES "NOTFOUND")
    message(STATUS "RocksDB is linked as a shared library: not every archive it needs is here")
  else()
    # Joined, since a list would end the generator expression.
    list(JOIN archives "$<SEMICOLON>" archives)
    set(ROCKSDB_LIBRARY "$<BUILD_INTERFACE:${archives}>" "$<INSTALL_INTERFACE:rocksdb>")
  endif()
endif()
