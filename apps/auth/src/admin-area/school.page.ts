import { say } from '@lyceum/messages';
import { faultSummary, hiddenFields, select, textField } from '@lyceum/pages';
import type { FormFaults, Page } from '@lyceum/pages';
import { TIME_ZONES, html } from '@lyceum/platform';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import { languageChoices } from '#src/accounts/language-choices.js';
import { FORM_BASE, formBase } from '#src/pages/form-base.js';
import { SCHOOL, SETTINGS, adminPage } from './admin.page.js';
import { SCHOOL_FIELDS } from './school-form.policy.js';
import type { SchoolFields } from './school-form.policy.js';
import { backToSettings, formAlarm, statusOf } from './setting-form.js';
import type { FormState } from './setting-form.js';

const WORDS = {
  name: () => say('school.enter_name'),
  locale: () => say('school.choose_language'),
  timezone: () => say('profile.enter_timezone'),
} as const satisfies Record<keyof SchoolFields, () => string>;

function faultsOf({ faults = [] }: FormState): FormFaults {
  const found = SCHOOL_FIELDS.filter((name) => faults.some(({ field }) => field === name));
  return Object.fromEntries(found.map((name) => [name, [WORDS[name]()]]));
}

function timeZones(chosen: string): { value: string; words: string }[] {
  const named = [...TIME_ZONES, ...(chosen === '' || TIME_ZONES.has(chosen) ? [] : [chosen])];
  return [{ value: '', words: say('school.no_timezone') }, ...named.map((zone) => ({ value: zone, words: zone }))];
}

/** Name, language and time zone of the site, which admin-api keeps. */
export function schoolPage(context: AccountContext, fields: SchoolFields, state: FormState = {}): Page {
  const faults = faultsOf(state);
  const base = state.base ?? formBase(fields, SCHOOL_FIELDS);
  const body = html`${formAlarm(state)} ${faultSummary(faults)}
    <form method="post" action="${SCHOOL}">
      ${hiddenFields({ csrf: context.csrf, [FORM_BASE]: base })}
      ${textField({
        name: 'name',
        label: say('school.name'),
        hint: say('school.name_hint'),
        value: fields.name,
        required: true,
        faults: faults['name'],
      })}
      ${select({
        name: 'locale',
        label: say('profile.language'),
        hint: say('school.language_hint'),
        choices: languageChoices(fields.locale, say('school.no_language')),
        chosen: fields.locale,
        faults: faults['locale'],
      })}
      ${select({
        name: 'timezone',
        label: say('profile.timezone'),
        hint: say('school.timezone_hint'),
        choices: timeZones(fields.timezone),
        chosen: fields.timezone,
        faults: faults['timezone'],
      })}
      <div class="actions"><button class="main" type="submit">${say('form.save')}</button></div>
    </form>
    ${backToSettings()}`;
  return adminPage(context, { path: SETTINGS, title: say('school.title'), body, status: statusOf(state) });
}
