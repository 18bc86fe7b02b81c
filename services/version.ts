import manifest from '../package.json' with { type: 'json' }

/** Version of this service, from package.json. */
export const version = manifest.version
