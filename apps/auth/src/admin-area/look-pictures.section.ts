import { say } from '@lyceum/messages';
import { fileField, hiddenFields, textField } from '@lyceum/pages';
import type { FormFaults } from '@lyceum/pages';
import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { ACCEPTED_IMAGES, imageFaultWords, megabytesOf } from '#src/images/image-words.js';
import { LOGO_LIMITS, PICTURES, dataUrl, pictureControls } from './look-pictures.policy.js';
import type { ChosenPictures, PictureName } from './look-pictures.policy.js';
import { pictureOf } from './look.policy.js';
import type { LookFields, SettingFault } from './look.policy.js';

/** Pixels. Enough for twice the height of a logo, and for the largest icons of browsers. */
const SHOWN_SIDE = 512;

/** The words for a refused file. A code of admin-api that pages have no words for is that of a damaged one. */
export function pictureWords({ code }: SettingFault): string {
  if (code === 'bytes' || code === 'type' || code === 'side') return imageFaultWords(code, LOGO_LIMITS);
  if (code === 'type_mismatch') return imageFaultWords('type', LOGO_LIMITS);
  return code === 'quota_exceeded' ? say('look.no_room') : say('look.damaged_picture');
}

interface Pictures {
  readonly fields: LookFields;
  readonly chosen: ChosenPictures;
  readonly faults: FormFaults;
  readonly base_url: string;
}

/** Shows a picture with a file field. Owners type the address of a picture elsewhere, and see none of a file. */
function pictureSet(picture: PictureName, { fields, chosen, faults, base_url }: Pictures): Html {
  const { file, chosen: earlier, removal, url } = pictureControls(picture);
  const image = chosen[picture];
  const address = pictureOf(fields[url], base_url);
  const isFile = image !== undefined || address?.startsWith('/') === true;
  const source = image === undefined ? (address ?? '') : dataUrl(image);
  return html`<fieldset>
    <legend>${say(`look.${picture}`)}</legend>
    ${isFile && html`<p><img class="logo" src="${source}" alt="${say(`look.${picture}_alt`)}" /></p>`}
    ${fileField({
      name: file,
      label: say(`look.${picture}_file`),
      accept: ACCEPTED_IMAGES,
      side: SHOWN_SIDE,
      hint: say('look.file_hint', { megabytes: megabytesOf(LOGO_LIMITS) }),
      error: faults[file]?.[0],
      optional: true,
    })}
    ${
      isFile
        ? html`${hiddenFields({ [url]: fields[url], [earlier]: image && dataUrl(image) })}
            <label class="choice">
              <input type="checkbox" name="${removal}" value="yes" />
              <span>${say(`look.remove_${picture}`)}</span>
            </label>`
        : textField({
            name: url,
            label: say(`look.${url}`),
            value: fields[url],
            hint: say(`look.${url}_hint`),
            faults: faults[url],
          })
    }
  </fieldset>`;
}

export const pictureSets = (pictures: Pictures): Html[] => PICTURES.map((picture) => pictureSet(picture, pictures));
