// Only in sanitizer builds: the behaviour of graphics drivers is not ours to report. Drivers are normally
// unloaded before the leak check, and their own small leaks could then not be distinguished from ours; so
// they stay loaded and are suppressed by name. The software renderer synchronizes its threads in ways that
// the thread sanitizer does not detect.
extern "C" {
int dlclose(void*);
const char* __lsan_default_suppressions();
const char* __tsan_default_suppressions();

int dlclose(void*) {
  return 0;
}

const char* __lsan_default_suppressions() {
  return "leak:swrast_dri.so\nleak:libGLX_mesa\nleak:libEGL_mesa\nleak:libLLVM\nleak:libGLdispatch\nleak:"
         "libX11\n"
         "leak:libgallium\nleak:libglapi\nleak:libfontconfig\n";
}

const char* __tsan_default_suppressions() {
  return "race:swrast_dri.so\nmutex:swrast_dri.so\nrace:libgallium\nmutex:libgallium\nrace:libLLVM\n";
}
}
