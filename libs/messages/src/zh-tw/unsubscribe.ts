import type { unsubscribe as en } from '../en/unsubscribe.js';
import type { TranslationOf } from '../en/translation.js';

export const unsubscribe: TranslationOf<typeof en> = {
  'unsubscribe.title': '「{site}」的電子郵件',
  'unsubscribe.question': '要取消訂閱這類電子郵件嗎？你仍會在收件匣中收到這些通知。',
  'unsubscribe.button': '取消訂閱',
  'unsubscribe.done': '你已取消訂閱這類電子郵件。',
  'unsubscribe.undo': '復原',
  'unsubscribe.undone': '你已重新訂閱這類電子郵件。',
  'unsubscribe.expired': '已無法復原這次取消訂閱。復原須在一小時內進行。',
  'unsubscribe.settings': '語言、電子郵件地址與登入設定在{account}。',
  'unsubscribe.account': '帳號頁面',
};
