import { type Environment, variableNames } from './read.ts'

/** What an orchestrator sets for other services whose names begin like this one's. */
const SERVICE_LINK = /_SERVICE_HOST$|_PORT(_|$)/

/**
 * Set variables that begin with `SERVICE_` and are not the service's, such as misspelt ones (interface 1.19).
 * @param sources the environment and the file
 */
export function unknownVariables(sources: readonly Environment[]): string[] {
  const set = sources.flatMap(source => Object.keys(source).filter(name => source[name]?.trim()))
  return [...new Set(set)]
    .filter(name => name.startsWith('SERVICE_') && !variableNames.includes(name) && !SERVICE_LINK.test(name))
    .sort()
}
