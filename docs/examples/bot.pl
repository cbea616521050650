#!/usr/bin/perl
# A Pickomino bot in Perl: a position line in, a move line out. It knows every edition without specialists.
# It keeps worms first, otherwise what counts most, and claims as soon as it can: an exact total, a steal, a lower tile.
use strict;
use warnings;
$| = 1;    # a move must not wait in a buffer

while (my $line = <STDIN>) {    # pkp1 classic 21-30,32 24/-/31,36 B 55W:11244
    my (undef, undef, $grill, $stacks, $seat, $dice) = split ' ', $line;
    my ($kept, $rolled) = split /:/, $dice;
    print $rolled eq '-' ? go($grill, $stacks, $seat, $kept) : keep($kept, $rolled), "\n";
}

sub points { my ($sign) = @_; return $sign eq 'W' ? 5 : $sign }

sub keep {
    my ($kept, $rolled) = @_;
    my %points;
    $points{$_} += points($_) for grep { index($kept, $_) < 0 } split //, $rolled;
    return 'kW' if $points{W};
    my ($face) = sort { $points{$b} <=> $points{$a} || $a <=> $b } keys %points;
    return "k$face";
}

sub go {
    my ($grill, $stacks, $seat, $kept) = @_;
    return 'r' unless $kept =~ /W/;    # without a worm nothing can be claimed
    my $total = 0;
    $total += points($_) for split //, $kept;
    my @grill = map { /(\d+)-(\d+)/ ? $1 .. $2 : $_ } grep { $_ ne '-' } split /,/, $grill;
    return "t$total" if grep { $_ == $total } @grill;
    my @stacks = split m{/}, $stacks;
    for my $other (grep { $_ != ord($seat) - ord('A') } 0 .. $#stacks) {
        my ($top) = $stacks[$other] =~ /(\d+)$/;
        return "x$total" if defined $top && $top == $total;
    }
    my @lower = grep { $_ < $total } @grill;
    return @lower ? "t$lower[-1]" : 'r';
}
