" Settings of .het files: comments, blanks, and :make by hetc lint.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:# commentstring=#\ %s formatoptions-=t
setlocal expandtab shiftwidth=2 softtabstop=2
setlocal makeprg=hetc\ lint\ --output-format\ concise\ --color\ never\ %:S
setlocal errorformat=%f:%l:%c:\ %trror\ HET%n:\ %m,%f:%l:%c:\ %tarning\ HET%n:\ %m,%f:%l:%c:\ %tnfo\ HET%n:\ %m,%-G%.%#

let b:undo_ftplugin = 'setlocal comments< commentstring< formatoptions< expandtab< shiftwidth< softtabstop< makeprg< errorformat<'
