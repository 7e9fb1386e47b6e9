import { t } from '../../platform/i18n/messages.ts';
import { Carousel } from './carousel.tsx';
import { Section } from './section.tsx';

// These are kinds of households, not quotes from real people, and the page says so.
const households = () => [
  {
    who: t('Three roommates, one streaming plan'),
    text: t(
      '“Two of us watch most evenings, one only on Sundays. Each has an allowance, and no one has to keep a list.”',
    ),
  },
  {
    who: t('A family with a storage plan'),
    text: t('“One of us pays, and four of us use it. Everyone sees their own hours, so the bill is never a surprise.”'),
  },
  {
    who: t('Friends with a design tool'),
    text: t(
      '“A seat is expensive, and each of us needs it for a few hours a week. We take turns and pay for what we use.”',
    ),
  },
  {
    who: t('A band with one studio account'),
    text: t("“Whoever's mixing hits Start. The drummer hardly uses it, and now hardly pays for it.”"),
  },
];

export const Testimonials = () => (
  <Section
    id="testimonials"
    title={t('Households like these')}
    intro={t("HourShare is made for households like these four. Here's what each of them might say about it.")}
  >
    <Carousel
      label={t('Households that share')}
      slides={households().map(({ who, text }) => ({
        name: who,
        content: (
          <figure>
            <blockquote className="font-display text-[21px] leading-snug text-balance md:text-[26px]">
              <p>{text}</p>
            </blockquote>
            <figcaption className="mt-4 font-semibold text-muted">{who}</figcaption>
          </figure>
        ),
      }))}
    />
  </Section>
);
