# Completion of proflog's command lines in fish.  proflog itself knows what may stand there: `proflog --complete`.

# The files that begin with $argv[1] and are logs, and folders.
function __proflog_logs
    for file in $argv[1]*
        if test -d $file
            echo $file/
        else if string match -q -r '\.(mlpd|eventlog)(\.gz|\.zst)?$' -- $file
            echo $file
        end
    end
end

function __proflog_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] "$word" 2>/dev/null)
        # What stands before the name of a file in the word stays.
        set -l parts (string split \t -- $line)
        set -l prefix ""
        if string match -q ':*' -- $line; and set -q parts[2]
            set prefix $parts[2]
        end
        set -l begin (string sub -s (math 1 + (string length -- "$prefix")) -- "$word")
        switch $parts[1]
            case ':logs'
                set -l files (__proflog_logs "$begin")
                set -q files[1]; or set files (__fish_complete_path "$begin")
                printf '%s\n' $prefix$files
            case ':files'
                printf '%s\n' $prefix(__fish_complete_path "$begin")
            case ':folders'
                printf '%s\n' $prefix(__fish_complete_directories "$begin" "")
            case ':commands'
                __fish_complete_command
            case '*'
                printf '%s\n' $line
        end
    end
end

complete -c proflog -f -a '(__proflog_complete)'
