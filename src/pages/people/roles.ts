import { roles } from '../../../contracts/session.js';
import type { Role } from '../frame/places.js';
import { type Html, html } from '../html.js';

/** The rights of each role, in words. */
export const roleWords: Readonly<Record<Role, string>> = {
  owner: 'do everything, and alone resume paused agents',
  admin: 'manage people, keys, rules and settings, and decide about requests',
  member: 'read, search, write and delete memories',
  reader: 'read and search',
  none: 'do nothing',
};

/** The choice of a role, each with what it may do. */
export function roleChoice(chosen: string): Html {
  const options = roles.map(
    (
      role,
    ) => html`<li><label class="option"><input type="radio" name="role" value="${role}"${role === chosen && html` checked`}>
<span>${role}<small>May ${roleWords[role]}.</small></span></label></li>`,
  );
  return html`<fieldset><legend>Role</legend><ul class="options">${options}</ul></fieldset>`;
}
