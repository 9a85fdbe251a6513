import { describe, expect, it } from 'vitest';
import { readClientMetadata } from '../../src/domain/oauth-client.js';
import { appOfGrant, isLoopback, redirectKind } from '../../src/domain/oauth-redirect.js';

const both = ['authorization_code', 'refresh_token'];

/** Everything that the clients of these names send. */
const payloads = {
  Claude: {
    client_name: 'Claude',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
    grant_types: both,
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_post',
    scope: 'claudeai',
  },
  'Claude Code': {
    client_name: 'Claude Code (counterfoil)',
    redirect_uris: ['http://localhost:3118/callback'],
    grant_types: both,
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  },
  ChatGPT: {
    client_name: 'ChatGPT',
    redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    grant_types: both,
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  Cursor: {
    client_name: 'Cursor',
    redirect_uris: [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
    ],
    grant_types: both,
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  'VS Code': {
    client_name: 'Visual Studio Code',
    client_uri: 'https://code.visualstudio.com',
    grant_types: [...both, 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code'],
    redirect_uris: [
      'https://insiders.vscode.dev/redirect',
      'https://vscode.dev/redirect',
      'http://127.0.0.1/',
      'http://127.0.0.1:33418/',
    ],
    scope: 'mcp:tools memory.read',
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  },
  Codex: {
    client_name: 'Codex',
    redirect_uris: ['http://127.0.0.1:37819/callback/0f9c'],
    grant_types: both,
    token_endpoint_auth_method: 'none',
    response_types: ['code'],
    application_type: 'native',
  },
  'MCP Inspector': {
    client_name: 'MCP Inspector',
    client_uri: 'https://github.com/modelcontextprotocol/inspector',
    redirect_uris: ['http://localhost:6274/oauth/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: both,
    response_types: ['code'],
    scope: 'mcp:tools memory.read memory.write openid',
  },
} as const;

const registered = (sent: object) => readClientMetadata({ redirect_uris: ['https://a.example/cb'], ...sent });

describe('the registration of a client', () => {
  // @covers OA-03
  it.each(Object.entries(payloads))('takes what %s sends', (_name, sent) => {
    expect(readClientMetadata(sent)).toMatchObject({
      redirect_uris: sent.redirect_uris,
      grant_types: both,
      response_types: ['code'],
      client_name: sent.client_name,
      token_endpoint_auth_method: sent.token_endpoint_auth_method,
    });
  });

  // @covers OA-04
  it('is native when every redirect is of this machine or of a private scheme', () => {
    const type = (redirect_uris: readonly string[], sent?: string) =>
      readClientMetadata({ redirect_uris, application_type: sent });
    const native = { application_type: 'native' };
    expect(type(['http://localhost:1/cb', 'http://[::1]:2/cb', 'com.example:/cb'], 'web')).toMatchObject(native);
    expect(type(['http://127.0.0.1/cb'])).toMatchObject(native);
    expect(type(['https://a.example/cb', 'http://127.0.0.1/cb'])).toMatchObject({ application_type: 'web' });
    expect(type(payloads.Cursor.redirect_uris)).toMatchObject(native);
  });

  // @covers OA-04
  it('drops what is not supported, and members that it does not know', () => {
    const read = registered({
      grant_types: ['authorization_code', 'client_credentials', 'password'],
      response_types: ['code', 'token'],
      scope: 'openid memory.read profile',
      token_endpoint_auth_method: 'none',
      jwks_uri: 'https://a.example/keys',
      software_id: 7,
      logo_uri: 'javascript:alert(1)',
      contacts: 'none',
    });
    expect(read).toEqual({
      redirect_uris: ['https://a.example/cb'],
      application_type: 'web',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: 'memory.read',
      token_endpoint_auth_method: 'none',
    });
    expect(registered({ scope: 'openid profile' })).not.toHaveProperty('scope');
    expect(registered({})).toMatchObject({ grant_types: both, token_endpoint_auth_method: 'client_secret_basic' });
    expect(registered({ grant_types: ['client_credentials'] })).toMatchObject({ error: 'invalid_client_metadata' });
    expect(registered({ response_types: ['token'] })).toMatchObject({ error: 'invalid_client_metadata' });
  });

  // @covers OA-05
  it.each([
    'http://a.example/cb',
    'http://127.0.0.1.a.example/cb',
    'http://10.0.0.1/cb',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'JavaScript://a.example/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    'ms-msdt:/id',
    'search-ms:query=x',
    'chrome:/settings',
    'ms-settings:x',
    'intent:/x',
    'example:/cb',
    'ftp://a.example/cb',
    'wss://a.example/cb',
    'https://a.example/cb#fragment',
    'https://a.example/cb#',
    'https://user@a.example/cb',
    'https://user:password@a.example/cb',
    'http://localhost@a.example/cb',
    'https://a.example\\@b.example/cb',
    '//a.example/cb',
    '/cb',
    '',
    7,
  ])('refuses the redirect %j', (redirect) => {
    expect(readClientMetadata({ redirect_uris: ['https://a.example/cb', redirect] })).toMatchObject({
      error: 'invalid_redirect_uri',
    });
  });

  // @covers OA-05
  it.each([
    'cursor://anysphere.cursor-retrieval/oauth/user-mcp/callback',
    'vscode://vscode.github-authentication/did-authenticate',
    'vscode-insiders://x/cb',
    'windsurf://x/cb',
    'claude://x/cb',
    'zed://x/cb',
    'com.example.app:/cb',
    'CURSOR://x/cb',
  ])('takes the private redirect %j', (redirect) => {
    expect(redirectKind(redirect)).toEqual({ kind: 'private' });
  });

  // @covers OA-05
  it('takes any port of this machine later, and nothing else that differs', () => {
    const taken = ['http://127.0.0.1:33418/cb', 'http://localhost/cb'];
    expect(isLoopback('http://127.0.0.1:5/cb', taken)).toBe(true);
    expect(isLoopback('http://localhost:5/cb', taken)).toBe(true);
    for (const other of ['http://127.0.0.1:5/cb/x', 'http://[::1]:5/cb', 'https://localhost/cb', 'http://a.example/cb'])
      expect(isLoopback(other, taken)).toBe(false);
    expect(redirectKind('http://[::1]:80/cb')).toEqual({ kind: 'loopback' });
  });

  // @covers OA-04
  it('shortens the name that a client gives itself, and leaves out characters that no one sees', () => {
    expect(registered({ client_name: 'Cl\u202eaude\u0000\ud800 ' })).toMatchObject({ client_name: 'Cl aude \ufffd' });
    const long = registered({ client_name: '𝓒'.repeat(5000) });
    expect('client_name' in long && [...(long.client_name ?? '')].length).toBe(128);
    expect(registered({ client_name: ' \u200b ' })).not.toHaveProperty('client_name');
  });
});

// @covers GRANT-APP
it.each([
  ['Cursor', 'cursor.com', 'Cursor (cursor.com)'],
  ['Claude Code', 'localhost:53418', 'Claude Code (localhost)'],
  ['Claude Code', '[::1]:53418', 'Claude Code ([::1])'],
  ['Tool', 'tool.example:8443', 'Tool (tool.example:8443)'],
  ['Claude (claude.ai)', 'evil.example', 'Claude claude.ai (evil.example)'],
  [null, 'cursor', 'cursor'],
  ['()', 'cursor', 'cursor'],
  ['n'.repeat(128), 'h.example', `${'n'.repeat(116)} (h.example)`],
  ['Name', 'h'.repeat(128), 'h'.repeat(128)],
])('the application of the client %j at %s is %s', (client_name, redirect_host, app) => {
  expect(appOfGrant({ client_name, redirect_host })).toBe(app);
});
