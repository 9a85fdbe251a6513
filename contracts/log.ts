/**
 * The chain of the public log itself: what was put into it, signed and anchored. It belongs to the installation and to no
 * workspace, and no credential reaches it; what is public of it is served as checkpoint and tiles.
 */
export const logChain = '00000000-0000-0000-0000-000000000000';
