import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';

export const callback = 'http://127.0.0.1:34119/callback';

/** The memory of an SDK client, and a browser in which a person answers: all that an application adds to an SDK. */
export class Application implements OAuthClientProvider {
  readonly redirectUrl = callback;
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'SDK',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  information: OAuthClientInformationMixed | undefined;
  saved: OAuthTokens | undefined;
  /** The parameters with which the browser came back. */
  answer: URLSearchParams | undefined;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  /** @param browse sends the person to an address. @returns where the person was sent to in the end */
  constructor(private readonly browse: (url: URL) => Promise<URL>) {}

  clientInformation() {
    return this.information;
  }
  saveClientInformation(information: OAuthClientInformationMixed) {
    this.information = information;
  }
  tokens() {
    return this.saved;
  }
  saveTokens(tokens: OAuthTokens) {
    this.saved = tokens;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovery = state;
  }
  discoveryState() {
    return this.#discovery;
  }
  async redirectToAuthorization(url: URL) {
    const { origin, pathname, searchParams } = await this.browse(url);
    if (`${origin}${pathname}` !== callback) throw new Error(`the browser was sent to ${origin}${pathname}`);
    this.answer = searchParams;
  }
}
