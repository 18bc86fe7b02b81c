/** A difference that stays, and why. */
export interface Known {
  /** `conversation/step.field`; `*` stands for any text. */
  readonly where: string
  readonly why: string
  /** The build that it is limited to. */
  readonly sdk?: '0.47' | '0.53'
}

export const knownDifferences: readonly Known[] = []
