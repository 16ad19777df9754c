import type { connect as en } from '../en/connect.js';
import type { TranslationOf } from '../en/translation.js';

export const connect: TranslationOf<typeof en> = {
  'connect.title': '連結',
  'connect.heading': '連結到「{site}」',
  'connect.lead': '助理和代理程式透過 Model Context Protocol（MCP）使用本網站。請將這個網址交給它們：',
  'connect.registers':
    '應用程式會自行註冊，在工具需要登入時開啟瀏覽器，並列出它要求的權限。你可以在{account}中斷它的連結。',
  'connect.account': '帳號頁面',
  'connect.off': '本網站已關閉 MCP 連線，應用程式只能使用不需登入的工具。擁有者或管理員可以在{admin}開啟。',
  'connect.admin': '管理區',
  'connect.local': '這個網址只存在於這部電腦。{one} 和 {other} 從自家伺服器連線，無法連到這裡；其他應用程式可以。',
  'connect.claude': '在 Claude 開啟 Settings 的 Connectors，選擇「Add custom connector」，然後貼上網址。',
  'connect.chatgpt_mode': '開啟 Settings、Apps & Connectors、Advanced settings，然後啟用開發人員模式。',
  'connect.chatgpt_create': '在 Apps & Connectors 選擇「Create」，貼上網址，然後選擇 OAuth。',
  'connect.add_to_file': '開啟連結，或將以下內容加入 {file}：',
  'connect.add_to': '加入 {name}',
  'connect.command_line': '命令列',
  'connect.inspector': '啟動後選擇 Streamable HTTP，然後貼上網址。沒有瀏覽器時，請使用第二個命令。',
  'connect.with_browser': '使用瀏覽器',
  'connect.in_terminal': '在終端機',
  'connect.without_http': '不支援 HTTP 的應用程式',
  'connect.remote': '只能啟動命令的應用程式，可以用 mcp-remote 套件連結：',
  'connect.configuration': '設定',
  'connect.tools': '工具',
  'connect.tools_text':
    '{open} 個工具不需登入。成員的應用程式另有 {member} 個工具，供登入者使用。營運者的應用程式依權限範圍，最多另有 {operator} 個工具；超過 {most} 個時，代理程式會取得最實用的工具，其餘用搜尋找到。',
  'connect.developers': '給開發人員：{guides}、{authentication}，以及供代理程式閱讀的 {index}。',
  'connect.guides': '指南',
  'connect.authentication': '驗證指南',
};
