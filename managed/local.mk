# Proflog.dll, through which managed programs speak to the module that records them.
EXTRA_DIST += managed/proflog.cs managed/nuget/Proflog.nuspec
if MANAGED
manageddir = $(libdir)/proflog
managed_DATA = managed/Proflog.dll
CLEANFILES += managed/Proflog.dll
managed/Proflog.dll: managed/proflog.cs scripts/compile-assembly
	@$(MKDIR_P) managed/new
	$(AM_V_GEN)$(srcdir)/scripts/compile-assembly managed/new/Proflog.dll $(MCS) $(srcdir)/managed/proflog.cs
	@mv -f managed/new/Proflog.dll $@ && rmdir managed/new
endif
