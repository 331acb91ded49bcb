# Completion for shells, in the folders in which they look.
bash_completiondir = $(datadir)/bash-completion/completions
dist_bash_completion_DATA = completions/bash/proflog
zsh_completiondir = $(datadir)/zsh/site-functions
dist_zsh_completion_DATA = completions/zsh/_proflog
fish_completiondir = $(datadir)/fish/vendor_completions.d
dist_fish_completion_DATA = completions/fish/proflog.fish
