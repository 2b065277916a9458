# Run by cmake --install, when the prefix is known: what is written around the program itself.
# PARTITA_PROGRAM and PARTITA_PACKAGING are set by the caller.
set(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")

function(write_output_of path)
  get_filename_component(folder ${path} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${ARGN} OUTPUT_FILE ${path} COMMAND_ERROR_IS_FATAL ANY)
  message(STATUS "Installing: ${path}")
endfunction()

write_output_of(${root}/share/bash-completion/completions/partita ${PARTITA_PROGRAM} completion bash)
write_output_of(${root}/share/zsh/site-functions/_partita ${PARTITA_PROGRAM} completion zsh)
write_output_of(${root}/share/fish/vendor_completions.d/partita.fish ${PARTITA_PROGRAM} completion fish)
write_output_of(${root}/share/partita/partita.toml ${PARTITA_PROGRAM} example-config)

# The service's own configuration is the operator's once it is there.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(PARTITA_CONFIG_PATH /etc/partita.toml)
else()
  set(PARTITA_CONFIG_PATH ${CMAKE_INSTALL_PREFIX}/etc/partita.toml)
endif()
if(NOT EXISTS $ENV{DESTDIR}${PARTITA_CONFIG_PATH})
  write_output_of($ENV{DESTDIR}${PARTITA_CONFIG_PATH} ${PARTITA_PROGRAM} example-config)
endif()
set(PARTITA_PROGRAM_PATH ${CMAKE_INSTALL_PREFIX}/bin/partita)
configure_file(${PARTITA_PACKAGING}/partita.service.in
  ${root}/lib/systemd/system/partita.service @ONLY)
message(STATUS "Installing: ${root}/lib/systemd/system/partita.service")
