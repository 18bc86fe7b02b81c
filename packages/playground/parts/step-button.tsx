import type { ComponentChildren } from 'preact'
import { currentStep, type Step } from '../state/flow.ts'

interface Props {
  step: Step
  type?: 'button' | 'submit'
  disabled?: boolean
  isBusy?: boolean
  onClick?: () => void
  children: ComponentChildren
}

/** Renders the button that runs a step. Highlights only the current step's button. */
export function StepButton({ step, type = 'button', disabled, isBusy, onClick, children }: Props) {
  return (
    <button
      type={type}
      class={currentStep.value === step ? 'primary' : 'secondary'}
      disabled={disabled}
      aria-busy={isBusy}
      {...(onClick && !isBusy && { onClick })}
    >
      {children}
    </button>
  )
}
