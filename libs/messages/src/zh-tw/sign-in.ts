import type { signIn as en } from '../en/sign-in.js';
import type { TranslationOf } from '../en/translation.js';

export const signIn: TranslationOf<typeof en> = {
  'sign_in.title': '登入',
  'sign_in.to_continue': '以繼續使用「{client}」',
  'sign_in.cancel': '取消並返回',
  'sign_in.or': '或',
  'sign_in.with_passkey': '使用密碼金鑰登入',
  'sign_in.email_me_link': '以電子郵件寄登入連結給我',
  'sign_in.new_here': '第一次來嗎？{link}',
  'sign_in.create_account': '建立帳號',
  'sign_in.refused': '電子郵件地址或密碼不正確。',
  'sign_in.no_access': '這個帳號沒有這裡的存取權，請洽詢學校。',
  'sign_in.passkey_refused': '這把密碼金鑰無法在此登入。請改用其他密碼金鑰，或輸入密碼。',
  'sign_in.slowed_down': '嘗試次數過多，請等待 {seconds} 秒後再試。使用密碼金鑰或電子郵件連結可以立即登入。',
  'passkey.known': '這部裝置已有你帳號的密碼金鑰。',
  'passkey.failed': '未使用密碼金鑰，請再試一次。',
  'chooser.title': '選擇帳號',
  'chooser.another': '使用其他帳號',
  'sign_out.title': '登出',
  'sign_out.question': '要登出「{site}」嗎？',
  'sign_out.effect': '這個瀏覽器會登出，已連結的應用程式不受影響。',
  'sign_out.stay': '保持登入',
  'signed_out.title': '你已登出',
  'signed_out.effect': '這個瀏覽器已登出「{site}」，你可以關閉本頁。',
  'signed_out.again': '重新登入',
  'signed_out.applications': '已連結的應用程式不受影響，你可以在帳號頁面中斷連結。',
};
