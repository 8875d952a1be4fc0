" Colours of .het files: a request, and behind the first --- line overlays in YAML, with shell in the blocks of commands.
if exists('b:current_syntax')
  finish
endif

syntax include @hetYaml syntax/yaml.vim
unlet! b:current_syntax
syntax include @hetShell syntax/sh.vim
unlet! b:current_syntax

syntax case match
syntax sync fromstart

" The request.
syntax match hetCount /[^[:space:]*<>=,:+{}"[\]]\+\ze\_s*\*/ nextgroup=hetStar skipwhite skipempty
syntax match hetStar /\*/ nextgroup=hetName skipwhite skipempty
syntax match hetName /[^[:space:]*<>=,:+{}"[\]#]\+/ contained
syntax match hetPlus /+/
syntax region hetGroup matchgroup=hetBracket start=/</ end=/>/ end=/^---\%(\s*$\|\s\+#\)/me=s-1 contains=@hetItem,hetKey,hetSelect
syntax region hetSection matchgroup=hetKeyword start=/\<\%(use\|gang\)\s*\[/ end=/\]/ end=/^---\%(\s*$\|\s\+#\)/me=s-1
      \ contains=@hetItem,hetRule

syntax cluster hetItem contains=hetComment,hetString,hetNumber,hetChoice,hetOperator,hetComma,hetColon,hetWord
syntax match hetWord /[^[:space:]*<>=,:+{}"[\]#]\+/ contained
syntax match hetNumber /\%([=:]\s*\)\@<=\d\+\%(\.\d\+\)\?\%([kMGTPE]i\?\|Ki\|[hms]\)\?\ze\%([[:space:],>:\]]\|$\)/ contained
syntax match hetChoice /\%([=:]\s*\)\@<=\%(all\|fail\|restart\|tolerate\|hard\|soft\|hami-core\|mig\)\ze\%([[:space:],>:\]]\|$\)/ contained
syntax match hetKey /[^[:space:]*<>=,:+{}"[\]#]\+\ze\_s*=/ contained
syntax match hetKey /\<rdma\>\ze\_s*[=,>]/ contained
syntax match hetRule /\<\%(min\|fail\|retries\|done\|pack\|start\)\>\ze\_s*=/ contained
syntax match hetLabel /[^[:space:]*<>=,:+{}"[\]#]\+\ze\_s*=/ contained
syntax match hetOperator /==\?/ contained
syntax match hetComma /,/ contained
syntax match hetColon /:/ contained
syntax region hetString start=/"/ skip=/\\./ end=/"/ oneline contained
syntax match hetComment /\%(^\|\s\)\@1<=#.*/ contains=@Spell
" Behind the words: of two that begin at one place Vim takes the later.
syntax region hetSelect matchgroup=hetKeyword start=/\<select\s*\[/ end=/\]/ end=/\ze>/ end=/^---\%(\s*$\|\s\+#\)/me=s-1 contained
      \ contains=@hetItem,hetLabel

" The overlays, to the end of the file.
syntax region hetOverlays matchgroup=hetDashes start=/^---\ze\%(\s*$\|\s\+#\)/ end=/\%$/ contains=@hetYaml,hetBlock
syntax region hetBlock matchgroup=hetBlockKey start=/^\z(\s*\)\%(command\|setup\):\s*[|>][-+1-9]*\s*\%(#.*\)\?$/
      \ end=/^\%(\z1\s\|\s*$\)\@!/me=s-1 contained contains=@hetShell keepend

highlight default link hetCount Number
highlight default link hetStar Operator
highlight default link hetPlus Operator
highlight default link hetName Type
highlight default link hetBracket Delimiter
highlight default link hetKeyword Statement
highlight default link hetKey Identifier
highlight default link hetRule Identifier
highlight default link hetLabel Identifier
highlight default link hetNumber Number
highlight default link hetChoice Constant
highlight default link hetWord String
highlight default link hetString String
highlight default link hetOperator Operator
highlight default link hetComma Delimiter
highlight default link hetColon Delimiter
highlight default link hetComment Comment
highlight default link hetDashes PreProc
highlight default link hetBlockKey Identifier

let b:current_syntax = 'het'
