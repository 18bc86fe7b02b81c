import { currentStep, isDone, steps, titles } from '../state/flow.ts'
import { Icon } from './icon.tsx'

/** Shows the current position in the flow. */
export function StepNavigation() {
  return (
    <nav class="steps" aria-label="Steps">
      <ol>
        {steps.map((step, index) => (
          <li key={step}>
            <a
              href={`#${step}`}
              aria-current={currentStep.value === step ? 'step' : undefined}
              data-done={isDone(step)}
            >
              <span class="steps-number" aria-hidden="true">
                {isDone(step) ? <Icon name="check" /> : index + 1}
              </span>{' '}
              <span>{titles.value[step]}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
