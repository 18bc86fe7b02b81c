import manifest from '../../package.json' with { type: 'json' }

export const startArguments: readonly string[] = manifest.scripts.start.split(' ').slice(1, -1)
