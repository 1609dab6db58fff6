#include "base/algebra.h"

#include "base/typed.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {"shortest", "bottleneck", "widest", "reliable"};

const char *algebra_names(void)
{
    return "shortest, bottleneck, widest, reliable";
}

const char *algebra_name(enum algebra_kind kind)
{
    return names[kind];
}

enum algebra_kind algebra_find(const char *name)
{
    int kind = ALGEBRA_SHORTEST;
    while (name && strcmp(names[kind], name) != 0)
        kind++;
    return (enum algebra_kind)kind;
}

static int64_t bits_of(double size)
{
    int64_t bits;
    memcpy(&bits, &size, sizeof bits);
    return bits;
}

static double double_of(int64_t bits)
{
    double size;
    memcpy(&size, &bits, sizeof size);
    return size;
}

/* Of a double in the order of all that are no nearer to 0 than the finest. */
static int64_t place_of(const struct algebra *algebra, double value)
{
    if (value == 0)
        return 0;
    const int64_t place = bits_of(fabs(value)) - algebra->origin;
    return value < 0 ? -place : place;
}

static double at_place(const struct algebra *algebra, int64_t place)
{
    if (place == 0)
        return 0;
    const double size = double_of((place < 0 ? -place : place) + algebra->origin);
    return place < 0 ? -size : size;
}

/* Of values that are no distances it may be any number; no two values have the same one. */
static int64_t minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static bool fit_places(struct algebra *algebra, const struct algebra_weights *weights)
{
    int64_t range;
    algebra->map = ALGEBRA_PLACES;
    algebra->origin = isinf(weights->finest) ? 0 : bits_of(weights->finest) - 1;
    algebra->whole = place_of(algebra, algebra->real);
    return !__builtin_sub_overflow(place_of(algebra, weights->real_most),
                                   place_of(algebra, weights->real_least), &range) &&
           range < bits_of(INFINITY);
}

bool algebra_fit(struct algebra *algebra, const struct algebra_weights *weights)
{
    int64_t range;
    algebra->down = algebra->kind == ALGEBRA_WIDEST || algebra->kind == ALGEBRA_RELIABLE;
    if (algebra->kind == ALGEBRA_SHORTEST)
        return true;
    algebra->negative = weights->real ? weights->real_least < 0 : weights->least < 0;
    if (algebra->kind == ALGEBRA_RELIABLE) { /* whole weights are all 1 */
        algebra->map = weights->real ? ALGEBRA_LOGARITHM : ALGEBRA_DIFFERENCE;
        algebra->real = 1;
        algebra->whole = 1;
        return true;
    }
    if (!algebra->down && (weights->real ? weights->real_least == 0 : weights->least == 0))
        return true;
    if (weights->real) {
        algebra->real = algebra->down ? weights->real_most : weights->real_least;
        return fit_places(algebra, weights);
    }
    algebra->map = ALGEBRA_DIFFERENCE;
    algebra->whole = algebra->down ? weights->most : weights->least;
    algebra->real = (double)algebra->whole;
    return !__builtin_sub_overflow(weights->most, weights->least, &range) && range < INF_I64;
}

double algebra_key_real(const struct algebra *algebra, double value)
{
    int64_t place;
    switch (algebra->map) {
    case ALGEBRA_DIFFERENCE:
        return algebra->down ? algebra->real - value : value - algebra->real;
    case ALGEBRA_PLACES:
        place = place_of(algebra, value);
        return double_of(algebra->down ? minus(algebra->whole, place)
                                       : minus(place, algebra->whole));
    case ALGEBRA_LOGARITHM:
        return value == 1 ? 0 : -log(value);
    default:
        return value;
    }
}

double algebra_value_real(const struct algebra *algebra, double key)
{
    int64_t place;
    switch (algebra->map) {
    case ALGEBRA_DIFFERENCE:
        return algebra->down ? algebra->real - key : algebra->real + key;
    case ALGEBRA_PLACES:
        place = algebra->down ? bits_of(key) : -bits_of(key);
        return at_place(algebra, minus(algebra->whole, place));
    case ALGEBRA_LOGARITHM:
        return exp(-key);
    default:
        return key;
    }
}

#define VALUE_whole algebra_value
#define VALUE_real  algebra_value_real
#define VALUES(name, T, FIELD, UNREACHABLE)                                                        \
    for (size_t v = 0; v < count; v++) {                                                           \
        const T key = ((const T *)from)[v];                                                        \
        ((T *)to)[v] = key == (UNREACHABLE) ? key : (T)VALUE_##FIELD(algebra, key);                \
    }

void algebra_values(const struct algebra *algebra, enum dtype dtype, const void *from, void *to,
                    size_t count)
{
    TYPED_CASE(dtype, VALUES)
}
