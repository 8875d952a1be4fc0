autocmd BufNewFile,BufRead *.het setfiletype het
