import type { ValidationProxy } from './validation-proxy.js';

/** Sends every operation of comments, forms and submissions through Prism. */
export async function useCommunity(proxy: ValidationProxy): Promise<void> {
  const comment = await proxy.list('listComments');
  await proxy.get('getComment', { path: { id: comment } });
  await proxy.list('listCommentReplies', { path: { comment_id: comment } });
  const form_id = await proxy.list('listForms');
  await proxy.get('getForm', { path: { id: form_id } });
  const submission_id = await proxy.list('listFormSubmissions', { path: { form_id } });
  await proxy.get('getFormSubmission', { path: { form_id, submission_id } });
}
