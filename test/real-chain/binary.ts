import { fileURLToPath } from 'node:url'

/** The two builds of the chain: Cosmos SDK 0.47 with CometBFT 0.37, and SDK 0.53 with CometBFT 0.38. */
export const sdks = ['0.47', '0.53'] as const
export type Sdk = (typeof sdks)[number]

/** Where builds and their stamp lie; not part of the repository. */
export const buildFolder = fileURLToPath(new URL('.build/', import.meta.url))

/** The program of a build; `npm run build:chain` makes it. */
export function chainBinary(sdk: Sdk): string {
  return `${buildFolder}chain-${sdk}`
}
