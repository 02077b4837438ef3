# cmake -DBUILD=… -DFOLDER=… -P package_test.cmake: is everything that a desktop needs installed, and does the installed
# program start?
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(file bin/headlight share/applications/headlight.desktop share/doc/headlight/copyright
    share/icons/hicolor/scalable/apps/headlight.svg share/icons/hicolor/16x16/apps/headlight.png
    share/icons/hicolor/48x48/apps/headlight.png share/icons/hicolor/256x256/apps/headlight.png)
  if(NOT EXISTS ${FOLDER}/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()
file(STRINGS ${FOLDER}/share/applications/headlight.desktop lines REGEX "^(Exec|Icon)=")
if(NOT lines STREQUAL "Exec=headlight %f;Icon=headlight")
  message(FATAL_ERROR "the desktop entry starts something else: ${lines}")
endif()
execute_process(COMMAND ${FOLDER}/bin/headlight --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
if(NOT version STREQUAL "headlight ${VERSION}\n")
  message(FATAL_ERROR "the installed program says \"${version}\", not ${VERSION}")
endif()
file(REMOVE_RECURSE ${FOLDER})
