# a completion that bash takes
osprof completion bash >c && bash -c '. ./c; COMP_WORDS=(osprof ra); COMP_CWORD=1; _osprof; echo "${COMPREPLY[@]}"; COMP_WORDS=(osprof rank --met); COMP_CWORD=2; _osprof; echo "${COMPREPLY[@]}"; COMP_WORDS=(osprof rank --color a); COMP_CWORD=3; _osprof; echo "${COMPREPLY[@]}"; COMP_WORDS=(osprof-tui --met); COMP_CWORD=1; _osprof osprof-tui; echo "${COMPREPLY[@]}"'
