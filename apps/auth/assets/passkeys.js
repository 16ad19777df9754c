/*
 * Passkeys (Web Authentication Level 3). A form with `data-passkey` holds the options of one ceremony, and sends what the
 * browser answers. It is hidden until this script knows that the browser can do it.
 */
const { credentials } = navigator;
const api = globalThis.PublicKeyCredential;
let running = new AbortController();

function ask({ dataset }, mediation) {
  // A browser does one at a time: an offer among the suggestions ends when a button is pressed.
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const options = JSON.parse(dataset.passkey);
  return dataset.ceremony === 'create'
    ? credentials.create({ publicKey: api.parseCreationOptionsFromJSON(options), signal })
    : credentials.get({ publicKey: api.parseRequestOptionsFromJSON(options), mediation, signal });
}

async function send(form, mediation) {
  const status = form.querySelector('[role=status]');
  status.textContent = '';
  try {
    form.elements.credential.value = JSON.stringify(await ask(form, mediation));
    form.submit();
  } catch ({ name }) {
    // Aborted by the other way to ask; nobody waits for what was only offered.
    if (name === 'AbortError' || mediation === 'conditional') return;
    status.textContent = name === 'InvalidStateError' ? form.dataset.known : form.dataset.failed;
  }
}

async function start(form) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
  form.hidden = false;
  if (form.dataset.ceremony !== 'get' || !(await api.isConditionalMediationAvailable?.())) return;
  void send(form, 'conditional');
}

if (api?.parseCreationOptionsFromJSON && api.parseRequestOptionsFromJSON && api.prototype.toJSON) {
  for (const note of document.querySelectorAll('[data-without-passkeys]')) note.hidden = true;
  for (const form of document.querySelectorAll('form[data-passkey]')) void start(form);
}
