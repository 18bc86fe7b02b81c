declare module '*/docs/errors.md' {
  import type { Advice } from '../../scripts/read-advice.ts'

  const advice: Readonly<Record<string, Advice>>
  export default advice
}
