# Proflog.dll, through which managed programs speak to the module that records them.
EXTRA_DIST += managed/proflog.cs
if MANAGED
manageddir = $(libdir)/proflog
managed_DATA = managed/Proflog.dll
CLEANFILES += managed/Proflog.dll
managed/Proflog.dll: managed/proflog.cs
	$(AM_V_GEN)$(MKDIR_P) managed && $(MCS) -nologo -target:library -out:$@.new $(srcdir)/managed/proflog.cs && mv $@.new $@
endif
