import { phrase, say } from '@lyceum/messages';
import { field, fileField, hiddenFields, initialOf, select } from '@lyceum/pages';
import type { Page } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { ACCEPTED_IMAGES, megabytesOf } from '#src/images/image-words.js';
import { PROFILE_LIMITS } from '#src/members/profile.policy.js';
import { page } from '#src/pages/page.js';
import type { MemberOfSite } from '#src/people/claims.policy.js';
import { PICTURE_LIMITS } from '#src/profile-pictures/profile-picture.policy.js';
import { ACCOUNT, PICTURE_REMOVAL, PICTURE_UPLOAD, PROFILE } from '#src/protocol/paths.js';
import type { AccountContext } from './account-session.guard.js';
import { languageChoices } from './language-choices.js';
import { noticeLine } from '#src/notices/notices.js';
import { timeZoneChoices } from './time-zone-choices.js';

/** The fields as typed. */
export interface ProfileFields {
  readonly name: string;
  readonly picture: string;
  readonly locale: string;
  readonly phone: string;
  readonly timezone: string;
}

export interface ProfileError {
  /** A field of the profile, or `file`. */
  readonly field: string;
  readonly message: string;
}

export interface ProfileView extends AccountContext {
  /** The path of the uploaded picture. */
  readonly uploaded: string | undefined;
}

export const fieldsOf = ({ name, picture, locale, phone, timezone }: MemberOfSite): ProfileFields => ({
  name,
  picture: picture ?? '',
  locale: locale ?? '',
  phone: phone ?? '',
  timezone: timezone ?? '',
});

/** Pixels. The script makes a larger picture this small before it is sent. */
const SHOWN_SIDE = 512;

/** The picture, or the initial of the name. */
function portrait({ person: { name, picture }, uploaded }: ProfileView): Html {
  const source = uploaded ?? picture;
  return source === null
    ? html`<span class="tile portrait" data-initial="${initialOf(name)}" aria-hidden="true"></span>`
    : html`<img class="portrait" src="${source}" alt="${say('profile.picture_alt')}" width="80" height="80" />`;
}

function pictureForms(view: ProfileView, error: string | undefined): Html {
  const { csrf, person } = view;
  return html`<section class="person" aria-labelledby="picture-heading">
    ${portrait(view)}
    <div>
      <h2 id="picture-heading">${say('profile.picture')}</h2>
      <form method="post" action="${PICTURE_UPLOAD}" enctype="multipart/form-data">
        ${hiddenFields({ csrf })}
        ${fileField({
          name: 'file',
          label: say('profile.file'),
          accept: ACCEPTED_IMAGES,
          side: SHOWN_SIDE,
          hint: say('profile.file_hint', { megabytes: megabytesOf(PICTURE_LIMITS) }),
          error,
        })}
        <div class="actions">
          <button type="submit">${say('profile.upload')}</button>
          ${
            person.picture !== null &&
            html`<button class="end" type="submit" form="remove">${say('profile.remove_picture')}</button>`
          }
        </div>
      </form>
      ${
        person.picture !== null &&
        html`<form method="post" action="${PICTURE_REMOVAL}" id="remove">${hiddenFields({ csrf })}</form>`
      }
    </div>
  </section>`;
}

/** For a picture that is not uploaded. */
function addressField({ picture }: ProfileFields, error: string | undefined): Html {
  return html`<details ${(picture !== '' || error !== undefined) && html`open`}>
    <summary>${say('profile.picture_elsewhere')}</summary>
    ${field({
      name: 'picture',
      label: say('profile.picture_address'),
      type: 'url',
      value: picture,
      autocomplete: 'photo',
      hint: say('profile.picture_hint'),
      error,
      optional: true,
      more: html`maxlength="${PROFILE_LIMITS.picture}"`,
    })}
  </details>`;
}

export function profilePage(view: ProfileView, fields: ProfileFields, error?: ProfileError): Page {
  const { site, csrf, notice, uploaded, person } = view;
  const errorOf = (name: keyof ProfileFields | 'file') => (error?.field === name ? error.message : undefined);
  return page(site, {
    title: say('profile.title'),
    status: error === undefined ? 200 : 422,
    // A file of the site may have an http address, which no policy names.
    ownImage: uploaded !== undefined || person.picture?.startsWith(`${site.base_url}/`) === true,
    picture: uploaded === undefined ? person.picture : null,
    body: html`${noticeLine(notice)}
      <h1>${say('profile.title')}</h1>
      <p class="lead">${phrase('profile.lead', { site: html`<bdi>${site.name}</bdi>` })}</p>
      ${pictureForms(view, errorOf('file'))}
      <form method="post" action="${PROFILE}">
        ${hiddenFields({ csrf })}
        ${field({
          name: 'name',
          label: say('form.name'),
          type: 'text',
          value: fields.name,
          autocomplete: 'name',
          error: errorOf('name'),
          more: html`maxlength="${PROFILE_LIMITS.name}"`,
        })}
        ${select({
          name: 'locale',
          label: say('profile.language'),
          choices: languageChoices(fields.locale),
          chosen: fields.locale,
          autocomplete: 'language',
          hint: say('profile.language_hint'),
          faults: [errorOf('locale') ?? []].flat(),
        })}
        ${select({
          name: 'timezone',
          label: say('profile.timezone'),
          choices: timeZoneChoices(site, fields.timezone),
          chosen: fields.timezone,
          hint: say('profile.timezone_hint'),
          faults: [errorOf('timezone') ?? []].flat(),
        })}
        ${field({
          name: 'phone',
          label: say('profile.phone'),
          type: 'tel',
          value: fields.phone,
          autocomplete: 'tel',
          hint: say('profile.phone_hint'),
          error: errorOf('phone'),
          optional: true,
        })}
        ${uploaded === undefined && addressField(fields, errorOf('picture'))}
        <div class="actions"><button class="main" type="submit">${say('form.save')}</button></div>
      </form>
      <p><a href="${ACCOUNT}">${say('form.back_to_account')}</a></p>`,
  });
}
