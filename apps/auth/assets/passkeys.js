/*
 * Passkeys (Web Authentication Level 3). A form with `data-passkey` contains the options of one ceremony, and sends
 * the response of the browser. It is hidden until this script has checked that the browser supports passkeys.
 */
const { credentials } = navigator;
const api = globalThis.PublicKeyCredential;
let running = new AbortController();

function ask({ dataset }, mediation) {
  // A browser runs one ceremony at a time: a button press ends the autofill request.
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
    // The button aborts the autofill request, which reports no errors.
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
