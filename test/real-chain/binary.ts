import { fileURLToPath } from 'node:url'

/** The two builds of the chain: Cosmos SDK 0.47 with CometBFT 0.37, and SDK 0.53 with CometBFT 0.38. */
export const sdks = ['0.47', '0.53'] as const
export type Sdk = (typeof sdks)[number]

/** Folder of the builds; not part of the repository. */
const folder = fileURLToPath(new URL('.build/', import.meta.url))

export const chainBinary = (sdk: Sdk) => `${folder}chain-${sdk}`

export const btcdBinary = `${folder}btcd`
