/** The paths at which the authorization server answers, below the address of the service. */
export const oauthPaths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  jwks: '/oauth/jwks',
  revocation: '/oauth/revoke',
} as const;

/** The page at which a person answers the question of a client. */
export const consentPath = '/consent';

/** The resource that access tokens are for, below the address of the service. */
export const mcpPath = '/mcp';

/** The lifetimes of what the authorization server gives out, in seconds. */
export const oauthSeconds = {
  /** From the request of a client to the answer of the person. */
  question: 600,
  code: 60,
  accessToken: 15 * 60,
  /** From the last use: each use gives a new one. */
  refreshToken: 14 * 24 * 3600,
  /** From the first use of a refresh token: until then it answers again with the same successor. */
  repeatedRefresh: 10,
  /** Of a client that has registered and never received a grant. */
  unusedClient: 24 * 3600,
} as const;
