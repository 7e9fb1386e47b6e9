import { Carousel } from './carousel.tsx';
import { Section } from './section.tsx';

// These are kinds of households, not quotes from real people, and the page says so.
const households = [
  {
    who: 'Three roommates, one streaming plan',
    text: 'Two of us watch most evenings, one on Sundays. Each has an allowance, and nobody has to keep a list.',
  },
  {
    who: 'A family with a storage plan',
    text: 'One of us pays, four use it. Everyone sees their own hours, and the end of the month is no surprise.',
  },
  {
    who: 'Friends with a design tool',
    text: 'A seat is dear, and each of us needs it a few hours a week. We pass it on, and the clock shows who has it.',
  },
  {
    who: 'A band with one studio account',
    text: 'Whoever mixes presses Start. The drummer hardly uses it, and now hardly pays for it.',
  },
];

export const Testimonials = () => (
  <Section
    id="testimonials"
    title="Households like these"
    intro="Four kinds of households that HourShare is made for, and what each of them would tell you about it."
  >
    <Carousel
      label="Households that share"
      slides={households.map(({ who, text }) => ({
        name: who,
        content: (
          <figure>
            <blockquote className="font-display text-[21px] leading-snug text-balance md:text-[26px]">
              <p>“{text}”</p>
            </blockquote>
            <figcaption className="mt-4 font-semibold text-muted">{who}</figcaption>
          </figure>
        ),
      }))}
    />
  </Section>
);
