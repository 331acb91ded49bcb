# cmocka tests, a file each: test-NAME.c tests NAME.c.
unit_cppflags = $(AM_CPPFLAGS) -DG_LOG_DOMAIN=\"test\"
unit_cflags = $(AM_CFLAGS) $(GLIB_CFLAGS) $(CMOCKA_CFLAGS)
unit_ldadd = libproflog-internal.la $(CMOCKA_LIBS) $(GLIB_LIBS)
