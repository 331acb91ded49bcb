tutorialdir = $(docdir)/tutorial
dist_tutorial_DATA = \
	docs/tutorial/haskell.md \
	docs/tutorial/leak.md \
	docs/tutorial/locks.md \
	docs/tutorial/service.md \
	docs/tutorial/slow.md \
	docs/tutorial/waits.md
tutorial_programsdir = $(tutorialdir)/programs
dist_tutorial_programs_DATA = \
	docs/tutorial/programs/Chat.cs \
	docs/tutorial/programs/Invoices.cs \
	docs/tutorial/programs/Orders.cs \
	docs/tutorial/programs/Service.cs \
	docs/tutorial/programs/Tills.cs \
	docs/tutorial/programs/Words.hs
EXTRA_DIST += docs/tutorial/make-pictures docs/tutorial/run-page.py
