import { type ErrorCode, errors, outcomeUnknown, type Refusal } from '../../../contracts/errors.js';

/** Codes whose sentences are all for programs, with the sentence for a person at a page. */
const always: Partial<Readonly<Record<ErrorCode, string>>> = {
  unauthorized: 'You are not signed in.',
  session_expired: 'Your session has ended.',
  idempotency_key_reused: 'This form was sent before, with other contents. Look at it and send it again.',
  internal_error:
    'The service has failed. Try again in a moment. If that does not help, give the id of the request to those who run the service.',
  route_not_found: 'Nothing is at this address. It may be mistyped, or have been removed.',
  namespace_out_of_scope: 'You may not use this namespace.',
  memory_out_of_scope: 'The memory is in a namespace that you may not use.',
  job_out_of_scope: 'The job is in a namespace that you may not use.',
  workspace_role_required: 'You have no role in this workspace, so it shows you nothing.',
  no_workspace: 'No workspace has you as a member.',
  plan_action_limit: 'The actions of this month are used up. Nothing was written.',
};

/** The same, for the sentences of the table only: where a place says more, its own sentence is shown. */
const instead: Partial<Readonly<Record<ErrorCode, string>>> = {
  invalid_json: 'This form cannot be read.',
  invalid_request: 'One of the fields has a wrong value.',
  invalid_name: 'A name has 1 to 64 characters and no control characters.',
  invalid_content: 'The text must not be empty, and has no characters that cannot be stored.',
  invalid_source: 'The source has characters that cannot be stored.',
  invalid_metadata: 'The metadata have characters that cannot be stored.',
  invalid_namespace: 'Choose a namespace.',
  invalid_reason: 'Say why, in 1 to 1024 characters.',
  invalid_query: 'Type 1 to 2000 characters to search for.',
  content_too_large: 'The text is over 1 MiB.',
  metadata_too_large: 'The metadata are over 64 KiB.',
  approval_invalid: 'The approval does not allow exactly this.',
  not_ready: 'The service is starting or stopping, or its database does not answer.',
  meter_unavailable: 'The usage of the plan cannot be read. Nothing was done.',
  csrf: 'This form was not sent from a page of this service.',
};

/** The sentence of a refusal for a person at a page: no headers, keys or members of bodies. */
export function forPeople({ code, message }: Pick<Refusal, 'code' | 'message'>): string {
  if (message === outcomeUnknown)
    return 'Whether this was recorded is not known yet. Send the form again: what was recorded is not recorded twice.';
  const said = always[code] ?? (message === errors[code][1] ? instead[code] : undefined) ?? message;
  return said
    .replace(howToWait, '')
    .replace(/^webhook_url: (?=[A-Z])/, '')
    .replace(aboutMember, (_, name: string) => `The ${fieldName(name)} `)
    .replace('must be an RFC 3339 date-time', 'must be a date with a time, such as 2026-11-27T16:00');
}

/** A page says how long to wait in words of its own. */
const howToWait = / (Retry shortly|Wait as long as Retry-After says|Wait \d+ s|Retry as Retry-After says)\./;
/** The API begins with the member of the body that it is about. */
const aboutMember = /^(?:pattern\.)?([a-z_]+):? (?:it )?(?=(must|is|has|may|can)\b)/;

/** Members of bodies whose fields have another name on pages. */
const fieldNames: Readonly<Record<string, string>> = {
  agent_id: 'identity',
  contains: 'words',
  content: 'text',
  min_bytes: 'number of bytes',
  query: 'search',
  since: 'time “From”',
  until: 'time “To”',
  webhook_url: 'address',
};

/** The name of a member of a body, as a page calls its field. */
export const fieldName = (member: string): string => fieldNames[member] ?? member.replaceAll('_', ' ');
