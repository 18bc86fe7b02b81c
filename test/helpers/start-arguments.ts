import manifest from '../../package.json' with { type: 'json' }

/** The arguments of node before the script, with which `npm start` runs the built server. */
export const startArguments: readonly string[] = manifest.scripts.start.split(' ').slice(1, -1)
