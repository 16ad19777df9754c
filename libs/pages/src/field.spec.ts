import { html } from '@lyceum/platform';
import { field, hiddenFields } from './field.js';

const EMAIL = { name: 'email', label: 'Email address', type: 'email', autocomplete: 'username' } as const;

describe('A field', () => {
  it('names its label, and has no description and no focus of its own', () => {
    const { text } = field(EMAIL);
    expect(text).toContain('<label for="email">Email address</label>');
    expect(text).not.toMatch(/aria-|autofocus|value=/);
  });

  it('shows its error beside the field, which gets the focus', () => {
    const { text } = field({ ...EMAIL, error: 'Wrong <b>', hint: 'A hint' });
    expect(text).toMatch(/autofocus\s+aria-invalid="true"\s+aria-describedby="email-error email-hint"/);
    expect(text).toContain('<p class="error" role="alert" id="email-error">Wrong &lt;b&gt;</p>');
    expect(text).toContain('<p class="hint" id="email-hint">A hint</p>');
  });

  it('escapes its value, and keeps an empty one', () => {
    expect(field({ ...EMAIL, value: '"><b>' }).text).toContain('value="&quot;&gt;&lt;b&gt;"');
    expect(field({ ...EMAIL, value: '', more: html`minlength="1"` }).text).toMatch(/value=""[^]*minlength="1"/);
  });
});

it('leaves undefined values out of the hidden fields', () => {
  const fields = hiddenFields({ csrf: '"x"', state: undefined });
  expect(fields.map(({ text }) => text)).toEqual(['<input type="hidden" name="csrf" value="&quot;x&quot;" />']);
});
