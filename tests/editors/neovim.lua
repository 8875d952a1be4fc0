-- Has Neovim's own client ask the server what a person would. The environment's HETC is the program; what came of it is
-- written to out.json.
local function wait(what, done)
  if not vim.wait(60000, done, 20) then
    error("Neovim waited for " .. what)
  end
end

vim.cmd("edit job.het")
local buffer = vim.api.nvim_get_current_buf()
local filetype = vim.bo.filetype
local client = vim.lsp.start_client({ name = "hetc", cmd = { vim.env.HETC, "lsp" }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(buffer, client)
wait("findings", function() return #vim.diagnostic.get(buffer) > 0 end)
local found = vim.diagnostic.get(buffer)[1]

local function ask(method, line, column, more)
  local params = vim.tbl_extend("force", { textDocument = { uri = vim.uri_from_bufnr(buffer) }, position = { line = line, character = column } }, more or {})
  return vim.lsp.buf_request_sync(buffer, method, params, 60000)[client].result
end

local range = { start = { line = found.lnum, character = 0 }, ["end"] = { line = found.lnum + 1, character = 0 } }
local action = ask("textDocument/codeAction", 0, 0, { range = range, context = { diagnostics = {} } })[1]
vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(client).offset_encoding)
wait("no findings", function() return #vim.diagnostic.get(buffer) == 0 end)
local fixed = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)

vim.api.nvim_buf_set_lines(buffer, 0, 1, false, { "1*master<cpu=1,mem=1Gi>" })
vim.lsp.buf.formatting_sync({}, 60000)
local formatted = vim.api.nvim_buf_get_lines(buffer, 0, 1, false)[1]
local hover = ask("textDocument/hover", 0, 3).contents.value
local labels = vim.tbl_map(function(item) return item.label end, ask("textDocument/completion", 0, 9))

vim.fn.writefile({ vim.fn.json_encode({
  filetype = filetype, code = found.code, column = found.col, fixed = fixed, formatted = formatted, hover = hover, labels = labels,
}) }, "out.json")
vim.lsp.stop_client(client)
wait("the server's end", function() return vim.lsp.get_client_by_id(client) == nil end)
vim.cmd("qall!")
