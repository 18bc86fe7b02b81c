import manifest from '../../package.json' with { type: 'json' }

/** The node arguments before the script in `npm start`. */
export const startArguments: readonly string[] = manifest.scripts.start.split(' ').slice(1, -1)
