import type { developers as en } from '../en/developers.js';
import type { TranslationOf } from '../en/translation.js';

export const developers: TranslationOf<typeof en> = {
  'reference.lead': '營運者 API 位於 {url}。完整的參考文件需要 JavaScript。',
  'reference.operations': '單頁列出所有操作',
  'reference.operations_item': '{link}，不需要 JavaScript',
  'reference.openapi_item': '{link}，供程式碼產生器使用',
  'reference.errors': '錯誤',
  'reference.explorer_item': '{link}，用於成員 API',
  'explorer.lead': '查詢工具需要 JavaScript。成員 API 位於 {url}，結構描述位於 {schema}。',
  'try.label': '登入',
  'try.scopes': '權限範圍',
  'try.about': '關於登入',
  'try.permission': '每次登入都會徵求你的同意。權杖只存放在本頁的記憶體中，重新載入或登出後就會清除。',
  'try.added': '本網站的擁有者或管理員已為本頁新增應用程式。',
  'try.missing': '本網站尚未為本頁新增應用程式。擁有者或管理員可以{link}。',
  'try.missing_off': '本網站尚未為本頁新增應用程式。開啟「MCP 連線」後，擁有者或管理員可以{link}。',
  'try.add': '一鍵新增',
  'try.own_member': '你也可以輸入自己的 client_id：須為成員使用的公開應用程式，且重新導向 URI 為 {uri}。',
  'try.own_operator': '你也可以輸入自己的 client_id：須為營運者使用的公開應用程式，且重新導向 URI 為 {uri}。',
  'try.signed_in': '你已登入，重新載入本頁後須再次登入。',
  'try.not_started': '這次登入不是從本頁開始的，請再試一次。',
  'guides.errors': '所有錯誤代碼',
  'guides.recipes': '用戶端範例',
  'guides.recipes_text': '每份範例都是平台測試以正式發行的套件實際執行的程式碼，說明為英文。',
  'guides.for_agents': '給代理程式：{link}',
  'guides.markdown': '本頁的 Markdown（英文）',
  'page_applications.title': '開發人員頁面',
  'page_applications.lead':
    '新增應用程式後，使用者可以在這些頁面登入，並以自己的權限呼叫 API。每次登入都會徵求同意，權杖只存放在頁面的記憶體中。',
  'page_applications.add': '新增{name}',
  'page_applications.added': '已新增',
};
