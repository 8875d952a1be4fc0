" Indents .het files: what an open bracket of the request holds by one step, the overlays behind the dashes as YAML.
if exists('b:did_indent')
  finish
endif
runtime! indent/yaml.vim

setlocal indentexpr=GetHetIndent(v:lnum)
setlocal indentkeys=!^F,o,O,0>,0],0+,<:>
let b:undo_indent = 'setlocal indentexpr< indentkeys<'

if exists('*GetHetIndent')
  finish
endif

function GetHetIndent(lnum) abort
  let before = getline(1, a:lnum - 1)
  let dashes = match(before, '^---\%(\s*$\|\s\+#\)')
  if dashes >= 0
    return prevnonblank(a:lnum - 1) == dashes + 1 ? 0 : GetYAMLIndent(a:lnum)
  endif
  let open = 0
  for line in before
    let signs = substitute(line, '"\%(\\.\|[^"\\]\)*"\|\%(^\|\s\)#.*', '', 'g')
    let open += len(substitute(signs, '[^<[]', '', 'g')) - len(substitute(signs, '[^]>]', '', 'g'))
  endfor
  return open > 0 && getline(a:lnum) !~ '^\s*[]>]' ? shiftwidth() : 0
endfunction
