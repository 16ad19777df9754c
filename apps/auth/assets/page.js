/*
 * Conveniences of pages that work without them: a button that shows a password, one that copies a text, pictures that
 * are made small before they are sent, and forms that are sent once. Texts of buttons are in the page's language by
 * `data-` attributes of the body, or English.
 */
const { show = 'Show', hide = 'Hide', password = 'password', copyWord: copy = 'Copy' } = document.body.dataset;
const { copied = 'Copied' } = document.body.dataset;

function button(className, before) {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = className;
  before.after(made);
  return made;
}

function hiddenWord(text) {
  const word = document.createElement('span');
  word.className = 'hidden';
  word.textContent = ` ${text}`;
  return word;
}

for (const field of document.querySelectorAll('input[type=password]')) {
  const toggle = button('reveal', field);
  const name = () => toggle.replaceChildren(field.type === 'password' ? show : hide, hiddenWord(password));
  field.classList.add('reveals');
  toggle.addEventListener('click', () => {
    field.type = field.type === 'password' ? 'text' : 'password';
    name();
  });
  // A password manager and the history of the browser expect a password field.
  field.form?.addEventListener('submit', () => (field.type = 'password'));
  name();
}

// A photo of a camera is larger than the server accepts, and more than a page shows.
async function shrink(field) {
  const [file] = field.files;
  if (!file) return;
  const picture = await createImageBitmap(file);
  const side = Math.min(Math.max(picture.width, picture.height), Number(field.dataset.side));
  const scale = side / Math.max(picture.width, picture.height);
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale) || 1, Math.round(picture.height * scale) || 1);
  canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
  const small = await canvas.convertToBlob({ type: 'image/webp', quality: 0.9 });
  // The person may have chosen another file meanwhile.
  if (small.size >= file.size || field.files[0] !== file) return;
  const chosen = new DataTransfer();
  chosen.items.add(new File([small], file.name, { type: small.type }));
  field.files = chosen.files;
}
for (const field of document.querySelectorAll('input[type=file][data-side]')) {
  // The server responds to a file that is no picture.
  field.addEventListener('change', () => shrink(field).catch(() => {}));
}

// A double click sends a form once. The server handles a repetition from a browser without scripts.
for (const form of document.querySelectorAll('form[method=post]:not([data-passkey])')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    else form.dataset.sent = 'yes';
  });
}
// After "Back" the page is the earlier one, and can be sent again.
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent;
});

// The server writes times in the zone of the site or UTC.
for (const time of document.querySelectorAll('time[title]')) {
  const format = { dateStyle: 'long', timeStyle: 'long' };
  time.title = new Date(time.dateTime).toLocaleString(document.documentElement.lang, format);
}

for (const source of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break;
  const action = button('copy', source);
  const frame = document.createElement('div');
  frame.className = 'copyable';
  source.before(frame);
  frame.append(source, action);
  action.textContent = copy;
  action.setAttribute('aria-live', 'polite');
  action.addEventListener('click', async () => {
    await navigator.clipboard.writeText(source.textContent);
    action.textContent = copied;
    setTimeout(() => (action.textContent = copy), 2_000);
  });
}
