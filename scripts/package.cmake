# cmake --install installs one program, a desktop entry and its icons; cpack makes a .deb of them
# (scripts/package).
include(GNUInstallDirs)
install(TARGETS headlight RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT headlight)
install(FILES assets/headlight.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT headlight)
install(FILES assets/icon/headlight.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT headlight)
file(GLOB icons CONFIGURE_DEPENDS assets/icon/headlight-*.png)
foreach(icon ${icons})
  string(REGEX REPLACE ".*-([0-9]+)\\.png$" "\\1" size ${icon})
  install(FILES ${icon} DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/apps
    RENAME headlight.png COMPONENT headlight)
endforeach()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/headlight RENAME copyright COMPONENT headlight)
install(FILES assets/models/NOTICE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/headlight COMPONENT headlight)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME headlight)
set(CPACK_PACKAGE_CONTACT "The Headlight authors <maintainers@headlight.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Type a sentence and see which token attends to which, in every head, while
sliders change the width, the number of heads, the positional encoding and the
mask. Every number opens to its arithmetic. Pages are also drawn without a
display, as PNG, SVG or PDF, and tensors exported as NPY, CSV or JSON.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Loaded at run time and therefore unknown to the linker: the OpenGL entry points, Mesa's drivers.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, libgl1-mesa-dri")
# Text in scripts that the built-in fonts lack uses the system's fonts.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "fonts-noto-core, fonts-noto-cjk, fonts-noto-color-emoji")
set(CPACK_COMPONENTS_ALL headlight)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_STRIP_FILES ON)
include(CPack)
